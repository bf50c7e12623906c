"""Pages that people read pass axe-core (WCAG 2.1 AA) in a real Chromium."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from autograder.build.reading_page import pictures, reading_page
from autograder.course import load_course

Violations = Callable[..., list[str]]
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

NAMES = sorted(path.name for path in (Path(__file__).parents[2] / "release").glob("[0-9]*"))


def test_a_page_with_faults_is_found(violations: Violations, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text('<img src="http://127.0.0.1:9/"><p style="color:#bbb">pale</p>')

    found = {line.split(":")[0] for line in violations(page)}

    assert {"image-alt", "color-contrast", "html-has-lang", "document-title"} <= found
    assert "asks for http" in found


@pytest.mark.parametrize("name", NAMES)
def test_a_released_notebook_as_a_page(
    name: str, course_root: Path, violations: Violations, tmp_path: Path
) -> None:
    notebook = nbformat.read(course_root / "release" / name / f"{name}.ipynb", as_version=4)

    page = _written(notebook, tmp_path)
    assert violations(page) == []
    assert violations(page, width=375) == []


def test_a_notebook_that_was_run_with_its_tables_and_pictures(
    course_root: Path, violations: Violations, tmp_path: Path
) -> None:
    name = "03-causal-masking"
    folder = tmp_path / name
    shutil.copytree(course_root / "release" / name, folder)
    shutil.copytree(
        course_root / "examples" / "submitted" / "ada" / name, folder, dirs_exist_ok=True
    )
    notebook = nbformat.read(folder / f"{name}.ipynb", as_version=4)
    NotebookClient(
        notebook, timeout=120, allow_errors=True, resources={"metadata": {"path": str(folder)}}
    ).execute()
    drawn = list(pictures(notebook))

    assert violations(_written(notebook, tmp_path)) == []
    assert all(words for _, words in drawn)
    tables = [o for cell in notebook.cells for o in cell.get("outputs", []) if "<table" in _html(o)]
    assert tables


@pytest.fixture(scope="module")
def graded_course(
    course_root: Path,
    run: Any,
    make_course: Callable[[Path], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """A course in which one assignment of three students is graded; a fourth handed in nothing."""
    folder = make_course(tmp_path_factory.mktemp("pages") / "course")
    name = "03-causal-masking"
    for student in ("ada", "chloe", "dmitri"):
        submitted = Path("submitted", student, name)
        shutil.copytree(course_root / "examples" / submitted, folder / submitted)
    (folder / "roster.csv").write_text("id,name\nada,Ada\nchloe,Chloé\ndmitri,Дмитрий\nzoe,Zoë\n")
    run("autograder", "grade", name, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def feedback_pages(graded_course: Path, run: Any) -> dict[str, Path]:
    """The pages of the three students, by their names."""
    name = "03-causal-masking"
    run("nbgrader", "generate_feedback", name, cwd=graded_course)

    pages = sorted(load_course(graded_course).folder("feedback").glob(f"*/{name}/{name}.html"))
    return {page.parts[-3]: page for page in pages}


@pytest.mark.parametrize(
    ("student", "width", "scheme"),
    [
        ("ada", 1280, "light"),
        ("ada", 375, "dark"),
        ("chloe", 1280, "dark"),
        ("chloe", 375, "light"),
        ("dmitri", 1280, "dark"),
    ],
)
def test_the_feedback_page(
    student: str, width: int, scheme: str, feedback_pages: dict[str, Path], violations: Violations
) -> None:
    assert "agf-chart" in feedback_pages[student].read_text(encoding="utf-8")
    assert violations(feedback_pages[student], width, scheme) == []


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (375, "dark")])
def test_the_class_report(
    width: int, scheme: str, graded_course: Path, run: Any, violations: Violations
) -> None:
    done = run("autograder", "report", cwd=graded_course)
    assert done.returncode == 0, done.stderr
    page = graded_course / "report.html"
    text = page.read_text(encoding="utf-8")
    assert all(f'id="{one}"' in text for one in ("misconceptions", "aspects", "reading"))
    assert violations(page, width, scheme) == []


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (375, "light")])
def test_the_page_on_why_a_mark_was_lost(
    width: int,
    scheme: str,
    feedback_pages: dict[str, Path],
    run: Any,
    violations: Violations,
    tmp_path: Path,
) -> None:
    folder, page = feedback_pages["chloe"].parents[3], tmp_path / "why.html"
    why = ("explain", "chloe", "03-causal-masking", "causal_mask", "--html", page)
    done = run("autograder", *why, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "For instructors" in page.read_text(encoding="utf-8")
    assert violations(page, width, scheme) == []


def _written(notebook: NotebookNode, folder: Path) -> Path:
    page = folder / "page.html"
    page.write_text(reading_page(notebook, "A notebook"), encoding="utf-8")
    return page


def _html(output: NotebookNode) -> str:
    return str(output.get("data", {}).get("text/html", ""))
