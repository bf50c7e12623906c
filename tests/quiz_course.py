"""A course whose one assignment asks a question of each kind."""

import shutil
from collections.abc import Callable
from pathlib import Path

from line_fitting import NAME
from quiz_sources import QUIZ

from autograder.course.questions import Question
from autograder.course.quiz import read_quiz

QUIZ_PLACE = "solutions/line_fitting/quiz.toml"
PERCENT = """\
# %% [markdown]
# # Questions
#
# Some questions have numbers of your own.

# %%
student_id = ...  # the id under which you hand in, in quotation marks: "ada"

# %% quiz="q1" points=1

# %% quiz="q2" points=1

# %% quiz="k1" points=1

# %% quiz="k2" points=2
"""


def make_quiz_course(make_course: Callable[[Path], Path], root: Path) -> Path:
    """Write the course into a new folder, over one that is made there."""
    make_course(root)
    shutil.rmtree(root / "assignments")
    for path, text in (
        (f"assignments/{NAME}/{NAME}.py", PERCENT),
        (QUIZ_PLACE, QUIZ),
    ):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


def questions(root: Path) -> dict[str, Question]:
    """The course's questions, by name."""
    return read_quiz(root / QUIZ_PLACE)
