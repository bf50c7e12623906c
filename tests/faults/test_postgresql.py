"""A gradebook in PostgreSQL: two graders at once give the marks that one gives in SQLite."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from records import read

pytest.importorskip("psycopg2", reason="psycopg2, the driver of PostgreSQL, is not installed")
from postgresql import Server, find_programs, running_server

pytestmark = pytest.mark.slow

HANGS = 300


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    programs = find_programs()
    if programs is None:
        pytest.skip("no PostgreSQL server is installed")
    with running_server(programs) as running:
        yield running


def move_gradebook(course: Path, url: str) -> None:
    """Let a course keep its gradebook elsewhere; what it was in before is gone."""
    (course / "gradebook.db").unlink()
    shutil.rmtree(course / "autograded")
    with (course / "course_config.py").open("a") as config:
        config.write(f'c.CourseDirectory.db_url = "{url}"\n')


@pytest.mark.in_full
def test_two_runs_at_once_from_an_empty_gradebook_lose_and_double_nothing(
    prepared: Any, course: Path, server: Server, grade: Callable[..., Any]
) -> None:
    url = server.make_database("one-folder")
    move_gradebook(course, url)
    runs = [grade(cwd=course) for _ in range(2)]
    for process, output in runs:
        assert process.wait(HANGS) == 0, output.read_text()
    assert read(url) == prepared.graded


def test_two_machines_that_share_nothing_but_the_gradebook_lose_and_double_nothing(
    prepared: Any, course: Path, server: Server, grade: Callable[..., Any], run: Any, tmp_path: Path
) -> None:
    url = server.make_database("two-folders")
    move_gradebook(course, url)
    first = run("autograder", "grade", "--student=student05", cwd=course)
    assert first.returncode == 0, first.stderr  # the gradebook and its assignments are there
    other = shutil.copytree(course, tmp_path / "other machine")
    runs = [grade(cwd=folder) for folder in (course, other)]
    for process, output in runs:
        assert process.wait(HANGS) == 0, output.read_text()
    assert read(url) == prepared.graded
