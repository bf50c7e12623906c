"""Why an exercise's mark is as it is, as plain data."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from autograder.course import Exercise
from autograder.verdicts.totals import ExerciseTotal
from autograder.verdicts.verdict import ExerciseVerdict


@dataclass(frozen=True)
class Shown:
    """One hidden test that costs points, run again, and the call that shows it.

    Attributes:
        test: the test's name, without `test_`.
        claim: what it asks for, in the words that students read.
        points: what it is worth.
        aspect: which of the course's aspects it asks for.
        symptom: what the test saw, in the words that students read; None where it saw nothing.
        place: the test's file and line, from the course's root.
        call: the call, as one would type it; empty where nothing was called.
        inputs: name and content of each argument.
        gave: what came back, an error included.
        right: what the reference gives for the same; empty where it was not asked.
        difference: the first thing in which the two differ; empty where no call differs by itself.
        rule: what the solution's docstring promises of what was called.
        line: of the student's cell, where it raised.
        line_text: that line.
        cell: Python to paste beside the student's code; empty where none can be written.
        why_no_cell: why there is none.
        failed_again: whether the test failed when it ran for this.
        note: where the inputs are from, when they are not those that were graded with; or why
            there are none.
    """

    test: str
    claim: str
    points: float
    aspect: str
    symptom: str | None
    place: str
    call: str = ""
    inputs: tuple[tuple[str, str], ...] = ()
    gave: str = ""
    right: str = ""
    difference: str = ""
    rule: str = ""
    line: int | None = None
    line_text: str = ""
    cell: str = ""
    why_no_cell: str = ""
    failed_again: bool = True
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """The same as JSON values; `from_json` reads it back."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Shown":
        """Read what `to_json` wrote."""
        return cls(**{**data, "inputs": tuple((name, text) for name, text in data["inputs"])})


@dataclass(frozen=True)
class Asked:
    """A quiz question as one student was asked it.

    Attributes:
        text: the question, with the student's own numbers where it has some.
        options: the answers to choose from, by letter; empty where none are offered.
        numbers: the student's own sizes by name; empty where all are asked the same.
        key: the right answer.
        answered: the student's, in words; None where there is none that can be marked.
        why: what is said of it.
    """

    text: str
    options: Mapping[str, str]
    numbers: Mapping[str, int]
    key: str
    answered: str | None
    why: str


@dataclass(frozen=True)
class Account:
    """Why one exercise's mark is as it is.

    Attributes:
        exercise: the exercise.
        total: what counts of it; None where nothing is recorded.
        verdict: what judging it again found; None where it was not judged again.
        doubts: how that differs from what is recorded, and what may have changed; empty where it
            is the same.
        shown: the hidden tests that cost points, with the calls that show it.
        asked: of a quiz question, what was asked and answered.
        source: the exercise's cell, as it was handed in.
        comment: what a person wrote beside it in formgrader.
    """

    exercise: Exercise
    total: ExerciseTotal | None
    verdict: ExerciseVerdict | None = None
    doubts: tuple[str, ...] = ()
    shown: tuple[Shown, ...] = ()
    asked: Asked | None = None
    source: str = ""
    comment: str = ""

    @property
    def lost(self) -> float:
        """The points that are missing, those that wait left out."""
        if self.total is None:
            return self.exercise.points
        return max(0.0, self.exercise.points - self.total.score - self.total.pending_points)


@dataclass(frozen=True)
class Dispute:
    """Why a submission's marks are as they are.

    Attributes:
        student: the id that handed in.
        people: whose marks these are, by name.
        assignment: the assignment's name.
        state: what there is to say of the submission as a whole, a sentence each.
        marks: what counts of all exercises together; empty where one alone is asked for.
        accounts: one an exercise that has anything to explain, what cost most first.
        right: the exercises that have full marks.
        not_begun: those that are as the notebook came.
        for_student: whether the inputs shown are others than those that were graded with.
        seconds: what running it again took.
    """

    student: str
    people: tuple[str, ...]
    assignment: str
    state: tuple[str, ...] = ()
    marks: str = ""
    accounts: tuple[Account, ...] = ()
    right: tuple[Exercise, ...] = ()
    not_begun: tuple[Exercise, ...] = ()
    for_student: bool = False
    seconds: float = 0.0
