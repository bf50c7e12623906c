"""Verdicts on disk: one JSON file each, named by its key, written whole or not at all."""

import json
import os
import tempfile
from pathlib import Path

from autograder.verdicts.verdict import ExerciseVerdict


class VerdictFiles:
    """A content-addressed store of verdicts.

    Args:
        folder: made when the first verdict is put.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> ExerciseVerdict | None:
        """The verdict of that key; None when there is none or its file is damaged."""
        try:
            return ExerciseVerdict.from_json(json.loads(self._path(key).read_bytes()))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, key: str, verdict: ExerciseVerdict) -> None:
        """Keep a verdict, unless it could come out otherwise another time.

        Raises:
            OSError: there is no room for it, or the folder cannot be written.
        """
        if not verdict.is_final:
            return
        path = self._path(key)
        try:
            descriptor, temporary = _beside(path)
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor, temporary = _beside(path)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(json.dumps(verdict.to_json()))
            os.replace(temporary, path)
        except FileNotFoundError:
            if not path.exists():  # else another grader has put it, and has cleared up below
                raise
        except BaseException:
            os.unlink(temporary)
            raise
        for name in os.listdir(path.parent):
            if name.startswith(f".{key}."):  # its writer was killed
                path.with_name(name).unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"


def _beside(path: Path) -> tuple[int, str]:
    return tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}.")
