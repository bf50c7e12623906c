"""A small class whose notebooks are handed in to a platform, and its marks by `autograder grade`.

The course has half points, a bonus, a personal question and one that a person reads.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from line_fitting import NAME, REFERENCE, SOURCE, all_right, cell_of, edit, hand_in, keep, released

BONUS = "normal_equation"
SUM = "def mean_squared_error(predicted, actual):\n    return sum((predicted - actual) ** 2)"
BREAKS = "\n\ndef predict(*_):\n    raise RuntimeError('a hidden value: 3.25')\n"
PLAIN_ID = "student"  # under which PrairieLearn's grader grades everybody
GRADED = ("full", "untouched", "wrong")


def make_class(make_line_fitting: Callable[[Path], Path], run: Any, folder: Path) -> Path:
    """Write the course, release it, hand in for everybody and grade; gives the course's folder."""
    root = make_line_fitting(folder)
    keep(root, "predict", "mean_squared_error", BONUS, "k3", "w1")
    edit(root / SOURCE, '"mean_squared_error" points=2', '"mean_squared_error" points=2.5')
    edit(root / SOURCE, f'"{BONUS}" points=3', f'"{BONUS}" points=3 bonus')
    done = run("autograder", "release", cwd=root)
    assert done.returncode == 0, done.stdout + done.stderr
    for student in (*GRADED, PLAIN_ID):
        notebook = all_right(root, student)
        if student == "untouched":
            notebook = released(root)
        if student in ("full", PLAIN_ID):
            cell_of(notebook, "w1").source = "Each step goes further than the one before it."
        if student == "wrong":
            cell_of(notebook, "mean_squared_error").source = SUM
            cell_of(notebook, BONUS).source = cell_of(released(root), BONUS).source
        hand_in(root, student, notebook)
    broken = root / "submitted" / "unreadable" / NAME
    broken.mkdir(parents=True)
    (broken / f"{NAME}.ipynb").write_text('{"cells": [')
    run("autograder", "grade", "--json", "marks.json", cwd=root)
    return root


def marks(root: Path) -> dict[str, dict[str, Any]]:
    """What `autograder grade` said of everybody."""
    listed = json.loads((root / "marks.json").read_text(encoding="utf-8"))["submissions"]
    return {one["student"]: one for one in listed}


def broken_copy(harness: Path, folder: Path) -> Path:
    """A harness whose course has a reference that raises."""
    shutil.copytree(harness, folder)
    (reference,) = folder.rglob(f"course/{REFERENCE}")
    with reference.open("a", encoding="utf-8") as solutions:
        solutions.write(BREAKS)
    return folder
