"""What is committed in `release/` is searched for secrets, not what a build would give."""

import shutil
from collections.abc import Callable
from pathlib import Path

from line_fitting import COURSE, NAME

from autograder.course import load_course
from autograder.proof import leaks


def test_a_secret_in_what_is_committed_is_found(
    make_line_fitting: Callable[[Path], Path], tmp_path: Path
) -> None:
    root = make_line_fitting(tmp_path / "course")
    released = root / "release" / NAME
    shutil.copytree(COURSE / "release" / NAME, released)
    course = load_course(root)
    assert leaks(course, [course.assignment(NAME)]) == []
    (released / "notes.txt").write_text("### BEGIN HIDDEN TESTS\n")
    (root / "release" / "more.txt").write_text("from solutions import line_fitting\n")
    (found,) = leaks(course, [course.assignment(NAME)])
    assert found.file == f"{NAME}/notes.txt"
    assert {leak.file for leak in leaks(course)} == {f"{NAME}/notes.txt", "more.txt"}
