"""Killed while an assignment's cells are registered: the next command registers them whole."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import nbformat
import pytest
from gradebook_rows import grades, query
from nbgrader.api import Gradebook
from small_curriculum import perfect
from sqlalchemy import NullPool, create_engine, inspect
from sqlalchemy.exc import DBAPIError
from stopped_registering import copy_gradebook

from autograder.course import load_course
from autograder.gradebook.registration import is_registered

ASSIGNMENT = "01-line-fitting"
PERCENT = """\
# %%
import numpy as np

# %% exercise="predict" points=2

# %% exercise="mean_squared_error" points=2
"""
MARKS = {
    ("ada", "test_predict"): 2.0,
    ("ada", "test_mean_squared_error"): 2.0,
    ("bo", "test_predict"): 2.0,
    ("bo", "test_mean_squared_error"): 0.0,
}
COMMANDS = (
    ("autograder", "grade"),
    ("nbgrader", "autograde", ASSIGNMENT),
    ("autograder", "release"),
)
STANDING = (
    "select name from assignment",
    "select name, kernelspec from notebook",
    "select type, name from base_cell",
    "select base_cell.name, max_score from grade_cells join base_cell using (id)",
    "select name, locked, source, checksum from source_cell",
)
IN_FULL = pytest.param("postgresql", marks=pytest.mark.in_full)
IN_SQLITE = pytest.mark.parametrize("start", ["sqlite", IN_FULL], indirect=True)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("registering"),
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
]
NOTHING: list[list[tuple]] = [[] for _ in STANDING]
PROGRAM = Path(__file__).parent / "stopped_registering.py"


@pytest.fixture(scope="module")
def course(
    make_line_fitting: Callable[[Path], Path], run: Any, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Two submissions, graded once so that their verdicts are kept, and no gradebook."""
    folder = make_line_fitting(tmp_path_factory.mktemp("registering") / "course")
    source = folder / "assignments" / ASSIGNMENT / f"{ASSIGNMENT}.py"
    source.write_text(PERCENT, encoding="utf-8")
    for student in ("ada", "bo"):
        notebook = perfect(folder, ASSIGNMENT, student)
        if student == "bo":
            (cell,) = (cell for cell in notebook.cells if cell.id == "mean_squared_error")
            cell.source = "raise NotImplementedError"
        handed_in = folder / "submitted" / student / ASSIGNMENT
        handed_in.mkdir(parents=True)
        nbformat.write(notebook, handed_in / f"{ASSIGNMENT}.ipynb")
    assert run("autograder", "release", cwd=folder).returncode == 0  # also the source notebook
    assert run("autograder", "grade", cwd=folder).returncode == 0
    assert marks(f"sqlite:///{folder / 'gradebook.db'}") == MARKS
    (folder / "gradebook.db").unlink()
    shutil.rmtree(folder / "autograded")
    return folder


@pytest.fixture
def copied(course: Path, tmp_path: Path) -> Path:
    """The course in a folder of its own."""
    return shutil.copytree(course, tmp_path / "course")


@pytest.fixture(scope="module")
def start(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The address of an empty database: a gradebook before its first use."""
    if request.param == "sqlite":
        file = tmp_path_factory.mktemp("gradebooks") / "start"
        file.touch()
        yield f"sqlite:///{file}"
        return
    pytest.importorskip("psycopg2", reason="psycopg2, the driver of PostgreSQL, is not installed")
    from postgresql import find_programs, running_server

    programs = find_programs()
    if programs is None:
        pytest.skip("no PostgreSQL server is installed")
    with running_server(programs) as server:
        yield server.make_database("start")


@pytest.fixture(scope="module")
def halves(course: Path, start: str) -> list[str]:
    """Gradebooks in which half of the assignment stands, and at last one with all of it."""
    _, *left = one_of_each(killed(course, start, "row-by-row"), standing)
    return left


def marks(url: str) -> dict[tuple[str, str], float | None]:
    return {(one.student, one.cell): one.score for one in grades(url)}


def standing(url: str) -> list[list[tuple]]:
    """What of an assignment stands in a gradebook."""
    try:
        return [sorted(map(tuple, query(url, statement))) for statement in STANDING]
    except DBAPIError:  # not even all the tables do
        return NOTHING


def tables(url: str) -> list[Any]:
    """Which tables a gradebook has, and the revision that it is stamped with."""
    engine = create_engine(url, poolclass=NullPool)
    names = sorted(inspect(engine).get_table_names())
    stamped = "alembic_version" in names
    return [*names, *(query(url, "select version_num from alembic_version") if stamped else ())]


def killed(course: Path, url: str, how: str) -> list[str]:
    """Gradebooks that kills have left, one kill a statement later than the other; the last none."""
    done = subprocess.run(
        [sys.executable, str(PROGRAM), str(course), ASSIGNMENT, url, how],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    left: list[str] = json.loads(done.stdout)
    return left


def one_of_each(urls: list[str], look: Callable[[str], list[Any]]) -> list[str]:
    """Of the gradebooks that look the same, the first."""
    found: dict[str, str] = {}
    for url in urls:
        found.setdefault(repr(look(url)), url)
    return list(found.values())


def grade_half(url: str) -> None:
    """Make ada's submission of what there is, as whoever graded it then has done."""
    with Gradebook(url, "attention") as gradebook:
        gradebook.add_student("ada")
        if gradebook.assignments:
            gradebook.add_submission(ASSIGNMENT, "ada")


def assert_mended(course: Path, url: str, command: tuple[str, ...], run: Any) -> None:
    """Run one command on a course with this gradebook, and look at what it leaves."""
    settings = (course / "course_config.py").read_text()
    (course / "course_config.py").write_text(f'{settings}\nc.CourseDirectory.db_url = "{url}"\n')
    try:
        done = run(*command, cwd=course)
        assert done.returncode == 0, done.stdout + done.stderr
        read = load_course(course)
        with Gradebook(url, "attention") as gradebook:
            assert is_registered(gradebook, read.assignment(ASSIGNMENT))
        if "release" not in command:
            assert marks(url) == MARKS
    finally:
        (course / "course_config.py").write_text(settings)
        shutil.rmtree(course / "autograded", ignore_errors=True)


@IN_SQLITE
def test_a_kill_at_any_statement_leaves_all_or_nothing_and_each_command_works(
    copied: Path, start: str, run: Any, request: pytest.FixtureRequest
) -> None:
    """The gradebook is new, so some kills leave it without all its tables, or not stamped."""
    *left, done = killed(copied, start, "whole")
    assert len(left) > 20
    whole = standing(done)
    assert all(standing(url) in (NOTHING, whole) for url in left)
    kinds = one_of_each([url for url in left if standing(url) == NOTHING], tables)
    if not request.config.getoption("--in-full"):
        kinds = [kinds[0], kinds[len(kinds) // 2], kinds[-1]]
    for command, url in zip(cycle(COMMANDS), kinds, strict=False):
        assert_mended(copied, url, command, run)
        assert standing(url) == whole
        assert tables(url) == tables(done)


@IN_SQLITE
def test_a_kill_while_points_are_changed_leaves_the_old_or_the_new(
    copied: Path, start: str, halves: list[str]
) -> None:
    before = standing(halves[-1])
    source = copied / "assignments" / ASSIGNMENT / f"{ASSIGNMENT}.py"
    source.write_text(source.read_text().replace("points=2", "points=3"))
    left = list(map(standing, killed(copied, halves[-1], "whole")))
    assert left[0] == before != left[-1]
    assert all(found in (before, left[-1]) for found in left)


@IN_SQLITE
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_half_of_an_assignment_that_another_tool_left_is_made_whole(
    copied: Path,
    halves: list[str],
    run: Any,
    command: tuple[str, ...],
    request: pytest.FixtureRequest,
) -> None:
    """With a submission that was made of that half; one half a command, unless `--in-full`."""
    chosen, whole = halves[:-1], standing(halves[-1])
    assert len(chosen) == 9
    if not request.config.getoption("--in-full"):
        chosen = [chosen[1 + 3 * COMMANDS.index(command)]]  # early, midway and late
    for number, half in enumerate(chosen):
        url = copy_gradebook(half, f"{COMMANDS.index(command)}-{number}")
        grade_half(url)
        assert_mended(copied, url, command, run)
        assert standing(url) == whole
