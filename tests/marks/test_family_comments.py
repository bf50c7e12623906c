"""One comment for all answers that are the same up to names and layout, on the pages of each."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from line_fitting import NAME, all_right, by_hand, cell_of, hand_in
from nbconvert.exporters import HTMLExporter

from autograder.course import load_course
from autograder.gradebook.family_comments import ShowFamilyCommentsToGraders, read_comments

SWAPPED = "def predict(x, slope, intercept):\n    return slope + intercept * x"
RENAMED = "def predict(z, m, b):\n    # the line\n    return (m + b * z)"
OTHER = "def predict(x, slope, intercept):\n    return slope * x"
CLASS = {"amal": SWAPPED, "bo": RENAMED, "çelik": OTHER}
TEXT = "Which of the two grows *with x*? Try x = 0."


def answer(course: Path, student: str, text: str) -> None:
    notebook = all_right(course, student)
    cell_of(notebook, "predict").source = text
    hand_in(course, student, notebook)


def page(course: Path, student: str) -> str:
    path = course / "feedback" / student / NAME / f"{NAME}.html"
    return path.read_text(encoding="utf-8")


def has_comment(course: Path, student: str) -> bool:
    return "Which of the two grows <em>with x</em>" in page(course, student)


@pytest.fixture(scope="module")
def course(
    tmp_path_factory: pytest.TempPathFactory,
    make_line_fitting: Callable[[Path], Path],
    run: Callable,
) -> Path:
    """The course after `grade` and `feedback`."""
    course = make_line_fitting(tmp_path_factory.mktemp("comments") / "course")
    assert run("autograder", "release", NAME, cwd=course).returncode == 0
    for student, text in CLASS.items():
        answer(course, student, text)
    for command in ("grade", "feedback"):
        done = run("autograder", command, cwd=course)
        assert done.returncode == 0, done.stderr
    return course


def family_of(course: Path, student: str) -> str:
    from autograder.marks.answers import Answers

    return Answers(load_course(course), NAME).handed_in()[student]["predict"].family


def test_a_comment_stays_while_the_answer_is_in_its_family(course: Path, run: Callable) -> None:
    family = family_of(course, "amal")
    by_hand(course, "amal", "test_predict", "Well tried.", manual_score=1.5)

    done = run("autograder", "comment", family[:5].upper(), "--text", TEXT, cwd=course)
    assert done.returncode == 0, done.stderr
    assert f"{family} (predict, {NAME}) kept; it has 2 answers" in done.stdout
    assert "2 feedback pages written again, 0 failed" in done.stdout
    assert [has_comment(course, student) for student in CLASS] == [True, True, False]
    assert "Well tried." in page(course, "amal")  # a person's own comes first, and stays
    assert page(course, "amal").index("Well tried.") < page(course, "amal").index("grows <em>")

    answer(course, "çelik", RENAMED.replace("z", "zz"))  # joins
    answer(course, "bo", OTHER)  # leaves
    for command in ("grade", "feedback"):
        assert run("autograder", command, cwd=course).returncode == 0
    assert [has_comment(course, student) for student in CLASS] == [True, False, True]

    listed = run("autograder", "comment", cwd=course).stdout
    assert family in listed
    assert "2 answers" in listed
    shown = run("autograder", "comment", family, cwd=course).stdout
    assert "amal, çelik" in shown
    assert "return slope + intercept * x" in shown
    assert TEXT in shown

    done = run("autograder", "comment", family, "--text", "Try x = 0 *only*.", cwd=course)
    assert "replaced" in done.stdout
    assert not has_comment(course, "amal")
    assert "Try x = 0 <em>only</em>." in page(course, "çelik")

    done = run("autograder", "comment", family, "--remove", cwd=course)
    assert "taken back" in done.stdout
    assert "Try x = 0" not in page(course, "çelik")
    assert "Well tried." in page(course, "amal")
    assert read_comments(course, NAME) == {}


def test_nbgraders_own_command_puts_it_on_the_page_too(
    course: Path, run: Callable, tmp_path: Path
) -> None:
    family = family_of(course, "amal")
    assert run("autograder", "comment", family, "--text", TEXT, cwd=course).returncode == 0
    done = run("nbgrader", "generate_feedback", NAME, "--force", "--student=amal", cwd=course)
    assert done.returncode == 0, done.stderr
    assert has_comment(course, "amal")


def test_formgrader_shows_it_above_the_answer(course: Path, run: Callable) -> None:
    family = family_of(course, "amal")
    assert run("autograder", "comment", family, "--text", TEXT, cwd=course).returncode == 0
    config = load_course(course).config
    config.CourseDirectory.root = str(course)
    exporter = HTMLExporter(config=config, preprocessors=[ShowFamilyCommentsToGraders])
    notebook = course / "autograded" / "amal" / NAME / f"{NAME}.ipynb"
    formgraders = {"submission_id": "1", "notebook_path": str(notebook), "assignment_id": NAME}
    html, _ = exporter.from_filename(str(notebook), resources=dict(formgraders))
    assert "Said on every answer like this one" in html
    assert html.index("Said on every answer") < html.index('<span class="nf">predict')
    html, _ = exporter.from_filename(str(notebook))
    assert "Said on every answer like this one" not in html


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nosuchfamily", "--text", "x"], "There is no family of answers 'nosuchfamily'."),
        (["abc", "--text", "x"], "at least 4 letters"),
        (["FAMILY", "--text", "  "], "The comment is empty. `--remove` takes a comment back."),
        (["FAMILY", "--text", "x" * 10_001], "10001 characters; 10000 are allowed"),
        (["FAMILY", "--text", "x", "--remove"], "not both"),
        (["--text", "x"], "Say which family"),
    ],
)
def test_what_cannot_be_done_is_told(
    course: Path, run: Callable, arguments: list[str], said: str
) -> None:
    family = family_of(course, "amal")
    kept = read_comments(course, NAME)
    words = [family if one == "FAMILY" else one for one in arguments]
    done = run("autograder", "comment", *words, cwd=course)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr
    assert read_comments(course, NAME) == kept


def test_a_broken_file_of_comments_is_told_and_left(course: Path, run: Callable) -> None:
    family = family_of(course, "amal")
    path = course / ".autograder" / "comments" / f"{NAME}.json"
    assert run("autograder", "comment", family, "--text", TEXT, cwd=course).returncode == 0
    whole = path.read_text(encoding="utf-8")
    assert json.loads(whole)[family]["text"] == TEXT
    path.write_text(whole[:20], encoding="utf-8")
    done = run("autograder", "comment", family, "--text", "new", cwd=course)
    assert done.returncode == 2
    assert "put back a copy of it" in done.stderr
    assert path.read_text(encoding="utf-8") == whole[:20]
    path.write_text(whole, encoding="utf-8")
