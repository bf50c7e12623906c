"""What a submission smuggles in beside or inside its notebook goes nowhere, on every path."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from line_fitting import NAME, hand_in, keep
from marks import in_gradebook
from nbconvert.exporters import HTMLExporter
from nbformat.v4 import new_markdown_cell
from small_curriculum import perfect
from traitlets.config import Config

pytestmark = pytest.mark.slow

PAGES = ("page.html", "drawing.svg")  # formgrader would serve them from its own address
HOSTILE = '<script>document.title = "taken"</script> <img src=x onerror=alert(1)>'


@pytest.fixture(scope="module")
def course(
    run: Any, make_line_fitting: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A student with links beside the notebook, one who is a link, one with a script."""
    course = make_line_fitting(tmp_path_factory.mktemp("links") / "course")
    keep(course, "predict")
    hand_in(course, "ada", perfect(course, NAME))
    secret = course / ".autograder" / "secret"
    beside = hand_in(course, "linking", perfect(course, NAME, "linking"))
    (beside / "leak.txt").symlink_to(secret)
    (beside / "zero").symlink_to("/dev/zero")
    os.mkfifo(beside / "pipe")
    (course / "submitted" / "copycat").mkdir()
    (course / "submitted" / "copycat" / NAME).symlink_to(course / "submitted" / "ada" / NAME)
    notebook = perfect(course, NAME, "scripted")
    notebook.cells.append(new_markdown_cell(f"{HOSTILE} [my page](page.html)"))
    folder = hand_in(course, "scripted", notebook)
    for name in PAGES:
        (folder / name).write_text("<script>fetch('/api/kernels')</script>")
    assert run("autograder", "release", cwd=course).returncode == 0
    return course


def everything_written(course: Path) -> str:
    files = [path for step in ("autograded", "feedback") for path in (course / step).rglob("*")]
    assert not any(path.is_symlink() for path in files)
    return "".join(path.read_text(encoding="utf-8") for path in files if path.is_file())


OURS = (("autograder", "grade", NAME), ("autograder", "feedback", NAME))
NBGRADERS = (
    ("nbgrader", "autograde", NAME),
    ("nbgrader", "generate_feedback", NAME, "--force"),
)


@pytest.fixture(scope="module", params=[OURS, NBGRADERS], ids=["autograder", "nbgrader"])
def graded(request: pytest.FixtureRequest, run: Any, course: Path) -> Path:
    """The class, graded and given feedback by our commands, then by nbgrader's."""
    grade, feedback = request.param
    done = run(*grade, cwd=course)
    assert done.returncode == 1, done.stderr
    done = run(*feedback, cwd=course)
    assert done.returncode == 0, done.stderr
    return course


def test_links_give_no_secret_and_no_marks(graded: Path) -> None:
    secret = (graded / ".autograder" / "secret").read_text().strip()
    assert secret not in everything_written(graded)
    scores = in_gradebook(graded)
    for student in ("ada", "linking", "scripted"):
        assert scores[student, NAME, "test_predict"] == (2.0, False)
    assert scores.get(("copycat", NAME, "test_predict"), (None, True)) == (None, True)


def test_a_students_own_page_is_copied_to_no_place_that_is_served(graded: Path) -> None:
    for step in ("autograded", "feedback"):
        beside = {path.name for path in (graded / step / "scripted" / NAME).iterdir()}
        assert beside & {f"{NAME}.ipynb", f"{NAME}.html"}
        assert not beside & set(PAGES)


def test_html_in_text_does_not_reach_formgraders_page(graded: Path) -> None:
    path = graded / "autograded" / "scripted" / NAME / f"{NAME}.ipynb"
    page, _ = HTMLExporter(config=Config()).from_notebook_node(nbformat.read(path, as_version=4))
    assert 'document.title = "taken"</script>' not in page
    assert "<img src=x" not in page
