"""A class whose notebooks were edited at random: all graded in one run, and nobody gains by it."""

import copy
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest
import trying
from cell_edits import EXERCISES, edit
from gradebook_rows import grades, url_of
from line_fitting import NAME, keep
from small_curriculum import perfect

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("fuzzed class")]

MOST = 2.0  # points of each of the two exercises
STUB = "raise NotImplementedError"
# Names that are as odd as a name may be, and some that are none.
NAMES = [
    "李雷",
    "Анна",
    "josé",
    "a+b",
    "(x)",
    "#1",
    "100%",
    "$HOME",
    "`id`",
    "a&b",
    "^",
    "~a",
    "a=b",
]
NAMES += ["a,b", "a;b", "!x", "Ada", "ada", "a b", "%s", "_", "1e5", "None"]
NO_NAMES = [b"=1+1", b"-h", b"caf\xe9", b"a*", b"{student_id}", b"a\nb", "ﬁona".encode()]


@dataclass(frozen=True)
class Class:
    """What was handed in, and what came of it.

    Attributes:
        course: its folder.
        edits: by student, what was done to the notebook.
        lost: by student, the exercises that may have lost marks by it.
        written: the students whose answers were right before.
        marks: what `--json` says, by student.
        said: what was printed besides the table.
        status: the exit status.
    """

    course: Path
    edits: dict[str, list[str]]
    lost: dict[str, set[str]]
    written: set[str]
    marks: dict[str, dict[str, Any]]
    said: str
    status: int


@pytest.fixture(scope="module")
def graded(
    run: Any,
    make_line_fitting: Callable[[Path], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Class:
    course = make_line_fitting(tmp_path_factory.mktemp("fuzzed") / "course")
    keep(course, *EXERCISES)
    whole = perfect(course, NAME)
    drawn = random.Random(0 if trying.FACTOR == 1 else trying.SEED)
    students = NAMES + [f"s{number}" for number in range(17 * min(trying.FACTOR, 10))]
    edits, lost, written = {}, {}, set()
    for number, student in enumerate(students):
        notebook = copy.deepcopy(whole)
        if number % 4:
            written.add(student)
        else:
            unwrite(notebook)
        edits[student], lost[student] = edit(notebook, drawn)
        hand_in(course, student.encode(), notebook)
    for name in NO_NAMES:
        hand_in(course, name, whole)
    beside = course / "submitted" / "s0" / NAME
    (beside / "timestamp.txt").write_bytes(b"\xff soon")
    (beside / "caf\udce9 \n.txt").write_text("=1+1")
    trying.count(len(students) + len(NO_NAMES))
    done = run("autograder", "grade", NAME, "--json", "marks.json", cwd=course)
    assert (course / "marks.json").is_file(), done.stderr
    marks = json.loads((course / "marks.json").read_text())["submissions"]
    by_student = {one["student"]: one for one in marks}
    said = done.stdout + done.stderr
    return Class(course, edits, lost, written, by_student, said, done.returncode)


def unwrite(notebook: nbformat.NotebookNode) -> None:
    """Put the placeholder in the place of every answer."""
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = STUB


def hand_in(course: Path, student: bytes, notebook: nbformat.NotebookNode) -> None:
    folder = course / "submitted" / student.decode(errors="surrogateescape") / NAME
    folder.mkdir(parents=True)
    (folder / f"{NAME}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")


def test_every_submission_is_graded_or_told(graded: Class) -> None:
    assert len(graded.marks) == len(graded.edits) + len(NO_NAMES)
    for student, marks in graded.marks.items():
        if student in graded.edits:
            assert marks["status"] == "graded", (student, graded.edits[student], marks)
        else:
            assert marks["reason"] == "bad_name", marks
    assert graded.status == 1  # for the names
    assert "Note: 'Ada' and 'ada' look alike" in graded.said


def test_an_answer_whose_cell_was_left_alone_keeps_its_marks(graded: Class) -> None:
    for student in graded.written:
        exercises = graded.marks[student]["exercises"]
        for name in set(EXERCISES) - graded.lost[student]:
            assert exercises[name]["score"] == MOST, (student, graded.edits[student], exercises)


def test_nobody_gains_by_what_was_done_to_the_notebook(graded: Class) -> None:
    for student in set(graded.edits) - graded.written:
        assert graded.marks[student]["score"] == 0, (student, graded.edits[student])


def test_what_a_cell_is_worth_never_changes(graded: Class) -> None:
    for student in graded.edits:
        worth = {
            name: (one["max_score"], 0 <= one["score"] <= MOST)
            for name, one in graded.marks[student]["exercises"].items()
        }
        assert worth == dict.fromkeys(EXERCISES, (MOST, True)), (student, graded.edits[student])


def test_the_gradebook_holds_the_same_marks(graded: Class) -> None:
    rows = [(row.student, row.cell, row.score, row.worth) for row in grades(url_of(graded.course))]
    told = {
        (student, f"test_{name}", one["score"], MOST)
        for student in graded.edits
        for name, one in graded.marks[student]["exercises"].items()
    }
    assert {row for row in rows if row[0] in graded.edits} == told
    assert all(score is None for student, _, score, _ in rows if student not in graded.edits)


def test_feedback_can_be_written_for_every_one_of_them(graded: Class, run: Any) -> None:
    done = run("nbgrader", "generate_feedback", NAME, cwd=graded.course)
    assert done.returncode == 0, done.stderr[-2000:]
    for student in graded.edits:
        page = graded.course / "feedback" / student / NAME / f"{NAME}.html"
        assert "<script>alert(1)" not in page.read_text(encoding="utf-8")
