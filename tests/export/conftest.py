"""A graded class with all that marks can be: late, by hand, bonus, pending, missing, in a group."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from exported_class import BONUS, EXTENSIONS, LATE, ROSTER
from line_fitting import (
    NAME,
    SOURCE,
    all_right,
    by_hand,
    cell_of,
    edit,
    gradebook,
    hand_in,
    keep,
)


@pytest.fixture(scope="session")
def graded_class(
    run: Any, make_line_fitting: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Of 7 points and 3 of a bonus; all answers are right, the bonus only in the group.

    ben is late, chloe has extra credit, dan a mark by hand, gus handed in no notebook, ada wrote an
    answer that waits for a person, mia is missing and noa excused.
    """
    root = make_line_fitting(tmp_path_factory.mktemp("exported") / "course")
    (root / "roster.csv").write_text("\n".join(ROSTER) + "\n", encoding="utf-8")
    (root / "extensions.csv").write_text(EXTENSIONS, encoding="utf-8")
    with (root / "course_config.py").open("a", encoding="utf-8") as config:
        config.write(LATE)
    keep(root, "predict", "mean_squared_error", BONUS, "w1")
    edit(root / SOURCE, f'"{BONUS}" points=3', f'"{BONUS}" points=3 bonus')
    assert run("autograder", "release", cwd=root).returncode == 0
    with gradebook(root) as book:
        book.update_or_create_assignment(NAME, duedate="2026-11-20 12:00:00 UTC")
    for student in ("ada", "ben", "chloe", "dan", "g1"):
        notebook = all_right(root, student)
        if student != "g1":
            cell_of(notebook, BONUS).source = "pass"
        if student == "ada":
            cell_of(notebook, "w1").source = "Each step goes further than the one before it."
        hour = 18 if student == "ben" else 9
        hand_in(root, student, notebook, f"2026-11-20 {hour}:00:00 UTC")
    unreadable = hand_in(root, "gus", all_right(root, "gus")) / f"{NAME}.ipynb"
    unreadable.write_text("{")
    assert run("autograder", "grade", cwd=root).returncode == 1
    by_hand(root, "chloe", "test_predict", extra_credit=0.75)
    by_hand(root, "dan", "test_predict", manual_score=1.25)
    return root


@pytest.fixture
def course(graded_class: Path, tmp_path: Path) -> Path:
    """The graded class at another place, for a test to change."""
    return Path(shutil.copytree(graded_class, tmp_path / "course", symlinks=True))
