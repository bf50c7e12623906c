"""Numbers of one's own in a real class: one's own id, somebody else's, and no answer.

The tests tell one story, in the order in which they stand.
"""

import csv
import json
import re
import unicodedata
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from formgrader import ask, running
from gradebook_rows import Row, grades, url_of
from line_fitting import (
    NAME,
    SOURCE,
    all_right,
    by_hand,
    edit,
    gradebook,
    hand_in,
    keep,
    released,
)
from nbformat import NotebookNode

from autograder.course.questions import Question
from autograder.course.quiz import read_quiz

# nbgrader's own models make these.
pytestmark = [
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
    pytest.mark.xdist_group("personal questions"),
]

WORTH = 4.0
DECOMPOSED = unicodedata.normalize("NFD", "zoë")
ROSTER = "id,name\n" + "".join(
    f"{one},{one.title()} Q\n"
    for one in ("ada", "ben", "chloe", "dora", "emil", "frida", "o'brien", "zoë")
)
HOSTILE = "`<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def course(
    make_line_fitting: Callable[[Path], Path], run: Any, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A released course, handed in by eight.

    They are ada (her own id), ben (ada's work), chloe (untouched), dora (a hostile id), emil (no
    id, and right), frida (no id, and wrong), o'brien, and zoë, whose folder macOS has named.
    """
    root = make_line_fitting(tmp_path_factory.mktemp("personal") / "course")
    keep(root, "q1", "q3", "k2")
    edit(root / SOURCE, '"k2" points=1', '"k2" points=2')
    done = run("autograder", "release", cwd=root)
    assert done.returncode == 0, done.stderr
    hand_in(root, "ada", all_right(root, "ada"))
    hand_in(root, "ben", all_right(root, "ada"))
    hand_in(root, "chloe", released(root))
    hand_in(root, "dora", written(released(root), f"student_id = {HOSTILE!r}", "k2 = 12"))
    hand_in(root, "emil", written(all_right(root, "emil"), "student_id = ..."))
    hand_in(root, "frida", written(all_right(root, "emil"), "student_id = ..."))
    quick = written(all_right(root, "o'brien"), 'q1 = " b"')  # B is the key
    hand_in(root, "o'brien", quick)
    hand_in(root, DECOMPOSED, all_right(root, "zoë"))
    (root / "roster.csv").write_text(ROSTER, encoding="utf-8")
    return root


def written(notebook: NotebookNode, *lines: str) -> NotebookNode:
    """The notebook with these lines in the places of those that give the same names a value."""
    for line in lines:
        name = line.split(" = ")[0]
        (cell,) = (one for one in notebook.cells if one.source.startswith(f"{name} = "))
        cell.source = line
    return notebook


def asked(root: Path) -> Question:
    """The question whose numbers are each student's own."""
    return read_quiz(root / "solutions" / "line_fitting" / "quiz.toml")["k2"]


def grade(root: Path, run: Any) -> tuple[dict[str, Any], str]:
    """Grade the class; its submissions by student, and what was said."""
    done = run("autograder", "grade", "--json", "marks.json", cwd=root)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((root / "marks.json").read_text())["submissions"]
    return {one["student"]: one for one in found}, done.stdout


def row(root: Path, student: str, cell: str = "test_k2") -> Row:
    """One grade in the gradebook."""
    found = {one.name: one for one in grades(url_of(root))}
    return found[student, NAME, cell]


def decide(root: Path, student: str, points: float) -> None:
    by_hand(root, student, "test_k2", manual_score=points)


def score(root: Path, student: str) -> float:
    """What nbgrader counts for a submission."""
    with gradebook(root) as book:
        return float(book.find_submission(NAME, student).score)


def test_ones_own_numbers_are_marked_and_anothers_wait(course: Path, run: Any) -> None:
    marks, said = grade(course, run)
    assert (marks["ada"]["score"], marks["ada"]["max_score"]) == (WORTH, WORTH)
    assert row(course, "ada").due is False
    ben = marks["ben"]["exercises"]["k2"]
    assert (marks["ben"]["score"], marks["ben"]["max_score"]) == (WORTH - 2, WORTH)
    assert marks["ben"]["pending_points"] == 2
    assert (ben["pending_points"], ben["reason"], ben["status"]) == (2, "another_id", "graded")
    assert [test["outcome"] for test in ben["tests"]] == ["pending"]
    assert 'student_id = "ada"' in ben["detail"]
    assert "ada" in said
    assert "2 points wait for you" in " ".join(said.split())
    assert row(course, "ben").due is True
    assert row(course, "ben", "test_q1").due is False


def test_no_answer_is_no_answer_whatever_the_id(course: Path) -> None:
    assert (row(course, "chloe").score, row(course, "chloe").due) == (0, False)


def test_formgrader_says_what_to_decide_by_and_the_id_does_nothing_there(
    course: Path, scripts: Path, environment: dict[str, str]
) -> None:
    with running(course, scripts, environment) as server:
        pages = {}
        for student in ("ada", "ben", "dora"):
            with gradebook(course) as book:
                one = book.find_submission_notebook(NAME, NAME, student).id
            pages[student] = ask(f"{server}/formgrader/submissions/{one}/")
            comments = ask(f"{server}/formgrader/api/comments?submission_id={one}")
    assert "shown to graders alone" not in pages["ada"]
    assert "shown to graders alone" in pages["ben"]
    assert "the answer fits that id's numbers" in pages["ben"].replace("&#39;", "'")
    assert "<img src=x" not in pages["dora"]
    assert "&lt;img src=x onerror=alert(1)&gt;" in pages["dora"]
    (told,) = [one["auto_comment"] for one in comments if one["name"] == "k2"]
    assert told == "Answered 12 under another student_id, so a person gives the marks."


def test_an_apostrophe_and_an_accent_of_two_characters_are_letters_of_an_id(
    course: Path, run: Any, scripts: Path, environment: dict[str, str]
) -> None:
    told = json.loads((course / "marks.json").read_text())
    assert told["absent"] == []
    found = {one["student"]: one for one in told["submissions"]}
    for student, name in (("o'brien", "O'Brien Q"), (DECOMPOSED, "Zoë Q")):
        assert (found[student]["score"], found[student]["pending_points"]) == (WORTH, 0)
        assert [one["name"] for one in found[student]["people"]] == [name]
    for typed in ("o'brien", "zoë", DECOMPOSED):
        done = run("autograder", "feedback", NAME, "--student", typed, cwd=course)
        assert done.returncode == 0, done.stderr
    page = course / "feedback" / DECOMPOSED / NAME / f"{NAME}.html"
    assert "Zoë Q" in page.read_text(encoding="utf-8")
    canvas = course.parent / "canvas.csv"
    canvas.write_text(
        f"Student,ID,SIS Login ID,Section,{NAME} (7)\nPoints Possible,,,,{WORTH:g}\n"
        '"Q, Zoë",1,zoë,A,\n"Q, O\'Brien",2,o\'brien,A,\n',
        encoding="utf-8",
    )
    export = ("autograder", "export", "canvas", "--template", canvas, "--output", "filled.csv")
    chosen = ("--student", "zoë", "--student", "o'brien")
    done = run(*map(str, export), *chosen, cwd=course)
    assert done.returncode == 0, done.stderr
    with (course / "filled.csv").open(encoding="utf-8", newline="") as file:
        assert [row[4] for row in csv.reader(file)][2:] == ["4", "4"]
    with running(course, scripts, environment) as server:
        for student in ("o'brien", DECOMPOSED):
            quoted = urllib.parse.quote(student)
            (one,) = ask(f"{server}/formgrader/api/student_submissions/{quoted}")
            assert one["score"] == WORTH
            shown = ask(f"{server}/formgrader/manage_students/{quoted}")
            assert f'var student_id = "{student}";' in shown


def test_all_that_lack_only_an_id_are_accepted_at_once(course: Path, run: Any) -> None:
    fits = "no student_id in the notebook; the answer fits its owner's numbers"
    listed = run("autograder", "waiting", cwd=course).stdout
    assert [line.split()[1] for line in listed.splitlines() if fits in line] == ["emil"]
    done = run("autograder", "waiting", "--accept-unsigned", cwd=course)
    assert done.returncode == 0, done.stderr
    assert "1 given all points: emil (k2)" in done.stdout
    assert (score(course, "emil"), row(course, "emil").due) == (WORTH, False)
    assert {one: row(course, one).due for one in ("ben", "dora", "frida")} == dict.fromkeys(
        ("ben", "dora", "frida"), True
    )


@pytest.mark.parametrize(
    "command", [("autograder", "grade"), ("nbgrader", "autograde", NAME, "--force")]
)
def test_what_an_instructor_gave_survives_and_is_not_asked_for_again(
    course: Path, run: Any, command: tuple[str, ...]
) -> None:
    decide(course, "ben", 1.5)
    again = run(*command, cwd=course)
    assert again.returncode == 0, again.stderr
    assert row(course, "ben").due is False
    assert score(course, "ben") == WORTH - 2 + 1.5


def test_grading_anew_does_not_ask_again(course: Path, run: Any) -> None:
    """The key of every verdict is another one then, and the old scores are taken back."""
    record = course / "autograded" / "ben" / f"{NAME}.json"
    before = record.read_bytes()
    with (course / "course_config.py").open("a", encoding="utf-8") as config:
        config.write("c.SubmissionLimits.call_seconds = 4\n")
    grade(course, run)
    assert record.read_bytes() != before
    assert row(course, "ben").due is False
    assert score(course, "ben") == WORTH - 2 + 1.5


def test_the_student_reads_what_the_instructor_gave(course: Path, run: Any) -> None:
    page = feedback(course, run)
    assert "Your instructor set these marks: <b>1.5 of 2 points</b>" in page
    assert "the answer fits" not in page  # which is the instructor's to know
    assert "so a person gives the marks" not in page  # nobody wrote that for the student
    assert "commented on" not in page
    assert "Comment from your instructor" not in page


def test_the_student_reads_the_question_with_their_own_numbers(course: Path) -> None:
    sizes = asked(course).sizes_of("ben")
    text = f"off by {sizes['first']}, -{sizes['second']} and {sizes['third']}."
    page = (course / "feedback" / "ben" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert text in page  # though the notebook says that it is ada's


def test_what_a_person_writes_is_the_instructors_comment(course: Path, run: Any) -> None:
    by_hand(course, "ben", "test_k2", "Come and see me.")
    page = feedback(course, run)
    assert 'commented on <a href="#test_k2">k2</a>.' in page
    assert "<p>Come and see me.</p>" in page


def test_another_answer_is_asked_for_again_until_it_is_decided(course: Path, run: Any) -> None:
    hand_in(course, "ben", written(all_right(course, "ada"), "k2 = 12"))
    for _ in range(2):
        grade(course, run)
        assert row(course, "ben").due is True
    page = feedback(course, run)
    assert "from your instructor" in page
    assert re.search(r"of 4 points, and [\d.]+ still open</p>", page)
    assert "Your instructor set these marks" not in page
    decide(course, "ben", 0)
    grade(course, run)
    assert row(course, "ben").due is False
    page = feedback(course, run)
    assert "Your instructor set these marks: <b>0 of 2 points</b>" in page


def feedback(root: Path, run: Any) -> str:
    """ben's feedback page."""
    made = run("autograder", "feedback", NAME, "--student", "ben", cwd=root)
    assert made.returncode == 0, made.stderr
    return (root / "feedback" / "ben" / NAME / f"{NAME}.html").read_text(encoding="utf-8")


def test_ones_own_id_later_is_marked_by_itself(course: Path, run: Any) -> None:
    hand_in(course, "ben", all_right(course, "ben"))
    marks, _ = grade(course, run)
    assert marks["ben"]["auto_score"] == WORTH
    assert marks["ben"]["score"] == score(course, "ben")  # what a person gave still counts
    assert row(course, "ben").score == 2
    assert row(course, "ben").due is True  # nbgrader asks whether what a person gave still holds
