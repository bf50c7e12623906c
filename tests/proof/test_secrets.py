"""What is committed in `release/` is searched for secrets, not what a build would give."""

import shutil
from collections.abc import Callable
from pathlib import Path

from autograder.course import load_course
from autograder.proof import leaks

NAME = "03-causal-masking"


def test_a_secret_in_what_is_committed_is_found(
    make_course: Callable[[Path], Path], course_root: Path, tmp_path: Path
) -> None:
    root = make_course(tmp_path / "course")
    released = root / "release" / NAME
    shutil.copytree(course_root / "release" / NAME, released)
    course = load_course(root)
    assert leaks(course, [course.assignment(NAME)]) == []
    (released / "notes.txt").write_text("### BEGIN HIDDEN TESTS\n")
    (root / "release" / "more.txt").write_text("from solutions import causal_masking\n")
    (found,) = leaks(course, [course.assignment(NAME)])
    assert found.file == f"{NAME}/notes.txt"
    assert {leak.file for leak in leaks(course)} == {f"{NAME}/notes.txt", "more.txt"}
