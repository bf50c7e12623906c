"""Right answers come on pages once nobody can hand in any more, and not before."""

import shutil
from datetime import datetime, timedelta
from typing import Any

import pytest
from gradebook_rows import url_of
from line_fitting import NAME
from nbgrader.api import Gradebook

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),  # of nbgrader's own models
]
PAST, FUTURE = "2020-01-01T00:00+00:00", "2990-01-01T00:00+00:00"
COMMANDS = (
    ("autograder", "feedback", NAME, "--student", "ben"),
    ("nbgrader", "generate_feedback", "--force", NAME, "--student", "ben"),
)


@pytest.fixture(scope="module")
def course(small_class, tmp_path_factory):
    return shutil.copytree(small_class, tmp_path_factory.mktemp("right") / "course", symlinks=True)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_one_students_extension_keeps_them_from_everybody(
    course: Any, command: tuple[str, ...], run: Any
) -> None:
    settings = course / "course_config.py"
    plain = settings.read_text(encoding="utf-8")

    def written(moment: str) -> str:
        line = f"c.FeedbackPolicy.solutions_from = {{{NAME!r}: {moment!r}}}\n"
        settings.write_text(f"{plain}\n{line}", encoding="utf-8")
        done = run(*command, cwd=course)
        settings.write_text(plain, encoding="utf-8")
        assert done.returncode == 0, done.stdout + done.stderr
        return (course / "feedback" / "ben" / NAME / f"{NAME}.html").read_text(encoding="utf-8")

    shown = written(PAST)
    assert "np</span>" in shown.partition('class="right"')[2]
    assert "the mean does not grow with the number of points" in shown
    assert 'class="right"' not in written(FUTURE)
    extend(course, timedelta(days=365_000))
    assert 'class="right"' not in written(PAST)
    extend(course, None)
    assert 'class="right"' in written(PAST)
    extensions = course / "extensions.csv"  # of somebody who has not handed in
    extensions.write_text(f"student,assignment,until\nzoe,{NAME},2990-01-01\n")
    assert 'class="right"' not in written(PAST)
    extensions.unlink()
    assert 'class="right"' in written(PAST)


def extend(course: Any, extension: timedelta | None) -> None:
    """The assignment was due long ago, but another student may have more time."""
    with Gradebook(url_of(course)) as gradebook:
        gradebook.update_or_create_assignment(NAME, duedate=datetime(2020, 1, 1))
        gradebook.update_or_create_submission(NAME, "ada", extension=extension)
