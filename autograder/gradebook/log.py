"""The log of what was written into the gradebook: when, from what, to what, and why.

`.autograder/log/<assignment>.jsonl` has a line for each change, and lines are only added. Grading
never waits for it and never fails for it: where a line cannot be written or read, marks count all
the same, and the next command finds what the log lacks as a difference between the two.

A submission that is graded anew is first taken back, and then given its marks again: two lines
without an exercise, with the sum of its automatic marks. Between them stand the marks that differ.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

What = Literal["auto_score", "manual_score", "extra_credit", "late_penalty", "points", "rests_on"]
By = Literal["autograder", "person", "unknown"]
FIELDS = ("when", "by", "student", "assignment", "exercise", "what", "from", "to", "why")
GROUP_SHARED = 0o664  # so that another instructor of the course may add to it


@dataclass(frozen=True)
class Change:
    """One change in the gradebook.

    Attributes:
        student: whose mark it is; None where it is the course that has changed.
        assignment: the assignment's name.
        exercise: the exercise's name; None for the whole submission.
        what: which of nbgrader's numbers; `points` are an exercise's maximum, and `rests_on` what
            an exercise's marks rest on, as digests by name.
        old: what stood there; None for nothing.
        new: what stands there now.
        why: the reason, for a person.
        by: who wrote it; `person` and `unknown` where this program did not.
        when: the moment, in UTC; of a change that others made, when it was seen.
        content: of a whole submission, the digest of what was handed in.
    """

    student: str | None
    assignment: str
    exercise: str | None
    what: What
    old: Any
    new: Any
    why: str
    by: By = "autograder"
    when: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    content: str | None = None

    def to_json(self) -> dict[str, Any]:
        """As the log has it."""
        values = (self.when, self.by, self.student, self.assignment, self.exercise, self.what)
        found = dict(zip(FIELDS, (*values, self.old, self.new, self.why), strict=True))
        return found | ({"content": self.content} if self.content else {})

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Change":
        """Read what `to_json` wrote; KeyError, TypeError or ValueError for anything else."""
        texts = [data[name] for name in ("when", "by", "assignment", "what", "why")]
        texts += [data[name] or "" for name in ("student", "exercise")] + [data.get("content", "")]
        if not all(isinstance(one, str) for one in texts):
            raise TypeError("a text is expected")
        datetime.fromisoformat(data["when"])
        kind = dict if data["what"] == "rests_on" else int | float
        if not all(isinstance(data[name], kind | None) for name in ("from", "to")):
            raise TypeError("a number is expected")
        names = {"from": "old", "to": "new"}
        return cls(
            **{names.get(name, name): data[name] for name in FIELDS}, content=data.get("content")
        )


@dataclass
class Known:
    """What the log says of one submission.

    Attributes:
        scores: by what and exercise: the number that stands there, or stood when it was taken back.
        away: whether the automatic scores are taken back.
        parts: what marks rested on when it was last given them, by exercise.
        content: the digest of what was handed in then.
        why: the reason that was given last for the whole of it.
    """

    scores: dict[tuple[str, str | None], float | None] = field(default_factory=dict)
    away: bool = False
    parts: Mapping[str, Mapping[str, str]] | None = None
    content: str | None = None
    why: str = ""

    def automatic(self) -> dict[str, float | None]:
        """The automatic scores by exercise, also where they are taken back."""
        return {
            exercise: score
            for (what, exercise), score in self.scores.items()
            if what == "auto_score" and exercise is not None
        }


class Log:
    """The log of one assignment.

    Args:
        root: the course's folder.
        assignment: the assignment's name.

    Attributes:
        note: why something could not be logged, in words; None where all was.
    """

    def __init__(self, root: Path, assignment: str) -> None:
        self.path = root / ".autograder" / "log" / f"{assignment}.jsonl"
        self.note: str | None = None
        self.parts: Mapping[str, Mapping[str, str]] = {}
        self._known: dict[str, Known] = {}
        self._read_to = 0

    def add(self, changes: Iterable[Change]) -> None:
        """Write lines, all in one step; where that fails, `note` says so."""
        lines = [json.dumps(one.to_json(), ensure_ascii=False) for one in changes]
        if not lines:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            _append(self.path, ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass"))
        except OSError as error:
            self.note = (
                f"{self.path}, the log of marks, cannot be written ({error.strerror}). Marks count "
                "all the same; the next command logs what it finds."
            )

    def read(self) -> Iterator[Change]:
        """Every line that is whole, in order; OSError where there is no reading."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return
        yield from _changes(data)

    def known(self) -> dict[str, Known]:
        """What the log says of each submission, by student, with what others have added by now.

        Raises:
            OSError: there is no reading it.
        """
        try:
            with self.path.open("rb") as file:
                if os.fstat(file.fileno()).st_size < self._read_to:  # begun anew by somebody
                    self._known, self.parts, self._read_to = {}, {}, 0
                file.seek(self._read_to)
                data = file.read()
        except FileNotFoundError:
            self._known, self.parts, self._read_to = {}, {}, 0
            return self._known
        whole = data.rfind(b"\n") + 1  # the rest is being written
        for change in _changes(data[:whole]):
            self._learn(change)
        self._read_to += whole
        return self._known

    def _learn(self, change: Change) -> None:
        if change.student is None:
            if change.what == "rests_on" and change.exercise and isinstance(change.new, dict):
                self.parts = {**self.parts, change.exercise: change.new}
            return
        known = self._known.setdefault(change.student, Known())
        if change.what != "auto_score" or change.exercise is not None:
            known.scores[change.what, change.exercise] = change.new
            return
        known.away, known.why = change.new is None, change.why
        if not known.away:
            known.parts, known.content = self.parts, change.content


def _append(path: Path, data: bytes) -> None:
    """Add to a file in one step; a line that a full disk has cut off does not spoil the next."""
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, GROUP_SHARED)
    try:
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            data = b"\n" + data
        while data:
            data = data[os.write(descriptor, data) :]
    finally:
        os.close(descriptor)


def _changes(data: bytes) -> Iterator[Change]:
    for line in data.split(b"\n"):
        try:
            yield Change.from_json(json.loads(line))
        except (ValueError, KeyError, TypeError):
            continue  # empty, cut off, or not ours
