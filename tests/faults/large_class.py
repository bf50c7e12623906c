"""A class whose answers are right, wrong and empty, some of them handed in a second time."""

import json
import random
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from small_curriculum import perfect

from autograder.course import Course
from autograder.notebooks.sanitise import grade_id
from autograder.proof import known_answers
from autograder.proof.known_answers import KnownAnswer

ASSIGNMENTS = ("03-causal-masking", "04-multi-head-attention")
SEED = 3


@dataclass(frozen=True)
class Handed:
    """What one student hands in for one assignment.

    Attributes:
        answer: today's version.
        earlier: what was handed in and graded before, with other marks; None where there was none.
    """

    student: str
    assignment: str
    answer: KnownAnswer
    earlier: KnownAnswer | None


def handed_in(course: Course, students: Sequence[str]) -> Iterator[Handed]:
    """What every student hands in, the same every time; each third one does so a second time."""
    dice = random.Random(SEED)
    for name in ASSIGNMENTS:
        answers = list(known_answers(course, course.assignment(name)))
        full = next(answer for answer in answers if answer.kind == "reference")
        none = next(answer for answer in answers if answer.kind == "stub")
        for number, student in enumerate(students):
            answer = dice.choice(answers)
            before = none if answer.kind in ("reference", "variant") else full
            yield Handed(student, name, answer, before if number % 3 == 0 else None)


def hand_in(root: Path, student: str, assignment: str, answer: KnownAnswer) -> None:
    """Put an answer, written into the course's notebook, where submissions are collected."""
    notebook = perfect(root, assignment)
    cells = {exercise: source for exercise, source in answer.cells if exercise}
    for cell in notebook.cells:
        if grade_id(cell) in cells:
            lines = [line for line in cells[grade_id(cell)].splitlines() if "### " not in line]
            cell.source = "\n".join([*lines, f"# by {student}"])
    folder = root / "submitted" / student / assignment
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / f"{assignment}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
