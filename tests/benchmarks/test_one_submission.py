"""One submission by itself: that each run does the work that its row names."""

from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from benchmarks.classes import make_course
from benchmarks.one_submission import GRADEBOOK, GRADED, STUDENT, report, run, timed

pytestmark = pytest.mark.slow

NAME = "03-causal-masking"


def test_every_run_grades_anew_and_a_new_course_makes_its_gradebook(tmp_path: Path) -> None:
    course = make_course(tmp_path)
    assert len(timed(course, NAME, 1, (*GRADED, GRADEBOOK))) == 1
    verdicts, gradebook = tmp_path / GRADED[0], tmp_path / GRADEBOOK
    made, last = gradebook.stat().st_ino, max(changed(verdicts))
    timed(course, NAME, 1, GRADED)
    assert gradebook.stat().st_ino == made
    assert min(changed(verdicts)) > last
    with Gradebook(f"sqlite:///{gradebook}") as book:
        assert book.find_submission(NAME, STUDENT).score > 0


def changed(folder: Path) -> list[int]:
    """When each file below a folder was written, in nanoseconds."""
    return [path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()]


def test_a_run_that_fails_is_no_figure(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="holds no course_config"):
        run("grade", "--course", str(tmp_path))


def test_the_table_gives_each_median_with_its_spread() -> None:
    text = report({"a": {"cold": [3.0, 2.5, 4.0], "again": [1.0, 1.0, 1.0]}}, [0.1, 0.3, 0.2])
    assert "| a | 3.00 (2.50 to 4.00) | 1.00 (1.00 to 1.00) |" in text
    assert "`autograder --help`: 0.20 (0.10 to 0.30)." in text
