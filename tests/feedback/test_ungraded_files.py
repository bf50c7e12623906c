"""Beside the page on a hand-in that cannot be graded lies only what is that student's own."""

from pathlib import Path
from shutil import copytree

import pytest
from line_fitting import COURSE, NAME

from autograder.course import load_course
from autograder.gradebook.page_writer import PageWriter
from autograder.notebooks.submitted import Submitted


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")
def test_nothing_of_another_comes_through_a_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = tmp_path / "course"
    copytree(COURSE, course)
    monkeypatch.chdir(course)
    submitted = course / "submitted"
    own = submitted / "ada" / NAME
    own.mkdir(parents=True)
    (own / "submission_secret.txt").write_text("ada's")
    (submitted / "eve").mkdir()
    (submitted / "eve" / NAME).symlink_to(own)
    (submitted / "fay").symlink_to(own.parent)
    writer = PageWriter(load_course(course))
    for student in ("ada", "eve", "fay"):
        one = Submitted(student, NAME, submitted / student / NAME)
        assert writer.write(one, ("bad_notebook", "nothing to read")) is None
    found = {str(path.relative_to(course)) for path in course.glob(f"feedback/*/{NAME}/*")}
    pages = {f"feedback/{student}/{NAME}/{NAME}.html" for student in ("ada", "eve", "fay")}
    assert found == pages | {f"feedback/ada/{NAME}/submission_secret.txt"}
