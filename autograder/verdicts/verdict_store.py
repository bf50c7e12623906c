"""Verdicts that are kept, each completed by what other machines have found on a GPU.

What a CPU and what a GPU finds are two verdicts. The GPU's key follows from the other's, so that a
machine without a GPU finds what a machine with one has left in the same folder.
"""

import hashlib
from pathlib import Path

from autograder.verdicts.verdict import ExerciseVerdict
from autograder.verdicts.verdict_files import VerdictFiles

COMPLETED = "+cuda"


class VerdictStore:
    """Gives back what was put: from disk, and within one run from memory too.

    Args:
        folder: holds the store; made when the first verdict is put.

    Attributes:
        note: why verdicts cannot be kept on disk, in words; None where they can.
    """

    def __init__(self, folder: Path) -> None:
        self._files = VerdictFiles(folder)
        # What is not kept for another run holds within this one: nbgrader asks again.
        self._this_run: dict[str, ExerciseVerdict] = {}
        self.note: str | None = None

    def find(self, key: str) -> ExerciseVerdict | None:
        """The verdict of that key, with what is known of a GPU; None when there is none."""
        verdict = self._one(key)
        if verdict is None or not verdict.waits_for("cuda"):
            return verdict
        other = self._one(_on_gpu(key))
        return verdict if other is None else verdict.completed_by(other)

    def put(self, key: str, verdict: ExerciseVerdict, device: str) -> None:
        """Keep what a device has found, for this run at least."""
        if device == "cuda":
            key = _on_gpu(key)
        self._this_run[key] = verdict
        if not verdict.is_final:
            return
        try:
            self._files.put(key, verdict)
        except OSError as error:
            self.note = (
                f"verdicts cannot be kept in {self._files.folder} ({error.strerror}). The marks of "
                "this run count; the next run computes these verdicts again."
            )
        else:
            self._this_run.pop(key, None)

    def _one(self, key: str) -> ExerciseVerdict | None:
        return self._files.get(key) or self._this_run.get(key)


def identity(key: str, verdict: ExerciseVerdict) -> str:
    """What names a verdict: its key, and whether a GPU has completed it for good."""
    ran = any(test.device == "cuda" and test.outcome != "pending" for test in verdict.tests)
    return key + COMPLETED if ran and verdict.is_final else key


def key_in(identity: str) -> str:
    """The key in a verdict's identity."""
    return identity.removesuffix(COMPLETED)


def _on_gpu(key: str) -> str:
    """The key of what a GPU finds, where `key` is the CPU's."""
    return hashlib.sha256(f"{key}{COMPLETED}".encode()).hexdigest()
