"""Where nbgrader shows a submission without a name, nothing of ours or in it tells whose it is.

The server, its pages and the browser are real. A group hands in, too: its id is what personal
questions go by, and its members' ids and names are covered like everyone's.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from formgrader import TOKEN, running
from line_fitting import NAME, all_right, cell_of, gradebook, hand_in, keep

from autograder.gradebook.hidden_owner import COVER

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("blind grading")]

ROSTER = """\
id,name,email,group
zelda-42,Zelda Wyman,zw@x.edu,
ann-7,"Bee, Ann",ann@x.edu,red-team
bob-8,Bob Ng,bob@x.edu,red-team
cy-9,Cy Ode,,blue-team
"""
SIGNED = "By **Zelda Wyman** (zelda-42, zw@x.edu): each step goes further than the one before it."
OF_RED = "We, Ann Bee and Bob Ng (ann-7, bob-8), say that each step goes further."
OF_BLUE = "Cy Ode says that each step goes further."
HANDED_IN = {  # by whom, signed by whom, with which answer
    "zelda-42": ("zelda-42", SIGNED),
    "red-team": ("red-team", OF_RED),
    "blue-team": ("cy-9", OF_BLUE),
}
TELLING = (
    "zelda",
    "wyman",
    "zw@x",
    "red-team",
    "blue-team",
    "ann-7",
    "ann bee",
    "bob",
    "cy-9",
    "cy ode",
)


@pytest.fixture(scope="module")
def course(
    make_line_fitting: Callable[[Path], Path], run: Any, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """zelda works alone; red signs as the group, and blue with the id of its member."""
    root = make_line_fitting(tmp_path_factory.mktemp("blind") / "course")
    keep(root, "k2", "predict", "w1")
    (root / "roster.csv").write_text(ROSTER, encoding="utf-8")
    assert run("autograder", "release", NAME, cwd=root).returncode == 0
    for student, (signed, answer) in HANDED_IN.items():
        notebook = all_right(root, signed)
        cell_of(notebook, "w1").source = answer
        code = cell_of(notebook, "predict")
        code.source = f"# by {student.upper()}\n{code.source}\nprint('hello from {student}')"
        hand_in(root, student, notebook)
    return root


@pytest.fixture(scope="module")
def marks(course: Path, run: Any) -> dict[str, Any]:
    done = run("autograder", "grade", "--json", "marks.json", cwd=course)
    assert done.returncode == 0, done.stderr
    found = json.loads((course / "marks.json").read_text())["submissions"]
    return {one["student"]: one for one in found}


@pytest.fixture(scope="module")
def shown(
    course: Path, marks: Any, scripts: Path, environment: dict[str, str], chromium: Any
) -> Iterator[Callable[[str], Any]]:
    """Formgrader's page of a student's submission, in a browser."""
    with gradebook(course) as book:
        ids = {one: book.find_submission_notebook(NAME, NAME, one).id for one in marks}
    with running(course, scripts, environment) as server:
        page = chromium.new_page()

        def shown(student: str) -> Any:
            page.goto(f"{server}/formgrader/submissions/{ids[student]}/?token={TOKEN}")
            page.wait_for_selector("textarea.comment")
            return page

        yield shown
        page.close()


def test_personal_questions_go_by_the_groups_id(marks: dict[str, Any]) -> None:
    red, blue = (marks[one]["exercises"]["k2"] for one in ("red-team", "blue-team"))
    assert (red["score"], red["pending_points"]) == (1.0, 0.0)
    assert (blue["score"], blue["pending_points"], blue["reason"]) == (0.0, 1.0, "another_id")
    assert "the answer fits that id's numbers" in blue["detail"]


@pytest.mark.parametrize("student", HANDED_IN)
def test_the_page_of_a_submission_does_not_say_whose_it_is(
    shown: Callable[[str], Any], student: str
) -> None:
    page = shown(student)
    seen = page.inner_text("body") + "".join(
        field.input_value() for field in page.query_selector_all("textarea")
    )
    made = page.inner_html("#notebook")
    assert "each step goes further" in seen
    assert f"{COVER}" in seen
    assert "def predict" in seen  # and the code is still there to read
    for word in TELLING:
        assert word not in seen.casefold()
        assert word not in made.casefold()
    assert ("answer fits that id" in seen) == (student == "blue-team")


def test_the_names_stand_where_a_grader_asks_for_them(shown: Callable[[str], Any]) -> None:
    page = shown("zelda-42")
    page.locator("span.glyphicon-eye-open").first.click()
    assert "Wyman, Zelda" in page.inner_text("body")


def test_a_students_own_page_is_not_covered(course: Path, marks: Any, run: Any) -> None:
    assert run("autograder", "feedback", cwd=course).returncode == 0
    page = (course / "feedback" / "red-team" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert "Bee, Ann; Bob Ng (red-team)" in page
    assert "hello from red-team" in page
    assert COVER not in page
    ours = (course / "feedback" / "zelda-42" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    alone = ("--force", "--student", "zelda-42")
    done = run("nbgrader", "generate_feedback", NAME, *alone, cwd=course)
    assert done.returncode == 0, done.stderr
    stock = (course / "feedback" / "zelda-42" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert "Zelda Wyman (zelda-42)" in ours
    assert "Zelda Wyman (zelda-42)" in stock
