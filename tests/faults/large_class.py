"""A class whose answers are right, wrong and empty, some of them handed in a second time."""

import random
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat
from small_curriculum import perfect

from autograder.notebooks.sanitise import grade_id

ASSIGNMENT = "01-line-fitting"
SEED = 3

# What a student has in place of right answers, by exercise.
Answers = dict[str, str]

RIGHT: Answers = {}
EXERCISES = ("predict", "mean_squared_error", "gradient", "fit", "normal_equation")
LEFT_OPEN: Answers = dict.fromkeys(EXERCISES, "raise NotImplementedError")
WRONG: tuple[Answers, ...] = (
    {"predict": "def predict(x, slope, intercept):\n    return slope * x - intercept"},
    {"mean_squared_error": "def mean_squared_error(a, b):\n    return np.sum((a - b) ** 2)"},
    {"gradient": "def gradient(x, y, slope, intercept):\n    return 0.0, 0.0"},
    {"fit": "def fit(x, y, rate, steps):\n    return 1 / 0"},
    {"normal_equation": "def normal_equation(x, y):\n    return np.polyfit(x, y, 1)[::-1]"},
    {"predict": "raise NotImplementedError", "fit": "def fit(:"},
)


@dataclass(frozen=True)
class Handed:
    """What one student hands in.

    Attributes:
        answers: today's version.
        earlier: what was handed in and graded before, with other marks; None where there was none.
    """

    student: str
    answers: Answers
    earlier: Answers | None


def handed_in(students: Sequence[str]) -> Iterator[Handed]:
    """What every student hands in, the same every time; each third one does so a second time."""
    dice = random.Random(SEED)
    for number, student in enumerate(students):
        answers = dice.choice([RIGHT, LEFT_OPEN, *WRONG])
        before = LEFT_OPEN if answers is RIGHT else RIGHT
        yield Handed(student, answers, before if number % 3 == 0 else None)


def hand_in(root: Path, student: str, answers: Answers) -> None:
    """Put answers, written into the course's notebook, where submissions are collected."""
    notebook = perfect(root, ASSIGNMENT, student)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = f"{answers.get(grade_id(cell), cell.source)}\n# by {student}"
    folder = root / "submitted" / student / ASSIGNMENT
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / f"{ASSIGNMENT}.ipynb")
