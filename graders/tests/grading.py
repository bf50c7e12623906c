"""Runs the hidden graders over answers in this very process."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.course import load_course
from autograder.course.layout import grader_files
from autograder.judging.answers import student_with
from autograder.judging.explaining import Explained, explain
from autograder.judging.plugin import Found, Graders
from benchmarks.watched_graders import forget_peak_memory

ROOT = Path(__file__).resolve().parents[2]
FILES = [file for name in load_course(ROOT).sources for file in grader_files(ROOT, name)]


@dataclass(frozen=True)
class Answer:
    """One answer to one exercise.

    Attributes:
        exercise: the exercise's name.
        name: what to call the answer in a test's output.
        source: its cell.
    """

    exercise: str
    name: str
    source: str

    def __str__(self) -> str:
        return f"{self.exercise}/{self.name}"


@dataclass(frozen=True)
class Graded:
    """What grading one answer found.

    Attributes:
        found: one entry a test.
        named: slugs that the diagnosis gave; empty at full marks.
    """

    found: tuple[Found, ...]
    named: tuple[str, ...]

    @property
    def share(self) -> float:
        """The share of the marks that the answer earns, 0 to 1; pending tests left out."""
        run = [found for found in self.found if found.outcome != "pending"]
        passed = sum(found.weight for found in run if found.outcome == "passed")
        return passed / sum(found.weight for found in run)


Told = dict[tuple[Answer, tuple[Found, ...]], Explained]


def grade(
    answers: list[Answer],
    secret: bytes,
    graders_of: type[Graders] = Graders,
    told: Told | None = None,
    device: str = "cpu",
) -> dict[Answer, Graded]:
    """Grade answers in the order given, in one collected pytest session.

    Args:
        answers: what to grade.
        secret: the course secret.
        graders_of: the hidden graders.
        told: what wrong answers were told before, by what their tests found; added to. An answer of
            which the tests find the same is not explained again.
        device: whose tests run.
    """
    graded: dict[Answer, Graded] = {}

    def serve(graders: Graders) -> None:
        for answer in answers:
            graded[answer] = _grade_one(graders, answer, {} if told is None else told)

    graders_of(secret, device, serve).start(FILES)
    return graded


def _grade_one(graders: Graders, answer: Answer, told: Told) -> Graded:
    def student() -> Any:
        forget_peak_memory()
        return student_with(answer.exercise, answer.source)

    found = tuple(graders.run(answer.exercise, student))
    if all(one.remark or one.outcome in ("passed", "pending") for one in found):
        return Graded(found, ())
    if (answer, found) not in told:
        told[answer, found] = explain(answer.exercise, found, student(), graders)
    explained = told[answer, found]
    return Graded(found, explained.slugs)
