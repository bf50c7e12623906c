"""Whatever was handed in: the file that is meant is graded, or its owner is told what to do."""

import copy
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from line_fitting import NAME, all_right, cell_of, hand_in, keep, released
from marks import in_gradebook
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from autograder.feedback.reasons import REASONS as WORDS
from autograder.notebooks.choosing import REASONS

pytestmark = pytest.mark.slow

OTHER = "02-averages"
OTHERS_SOURCE = """\
# %% [markdown]
# # Averages

# %% exercise="average" points=2

# %% exercise="spread" points=2
"""
FILE = f"{NAME}.ipynb"
COPY, AGAIN = f"{NAME}-Copy1.ipynb", f"{NAME} (1).ipynb"
FULL = 5.0

Place = Callable[[Path, NotebookNode], None]


def write(path: Path, notebook: NotebookNode) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook), encoding="utf-8")


def empty(folder: Path) -> NotebookNode:
    """What students receive, as it is."""
    return released(folder.parents[2])


def others() -> NotebookNode:
    """The notebook of another assignment, with its answers."""
    cells = []
    for name in ("average", "spread"):
        for part in (name, f"test_{name}"):
            cell = new_code_cell(f"def {name}(x):\n    return sum(x) / len(x)")
            cell.metadata["nbgrader"] = {"grade_id": part, "schema_version": 3}
            cells.append(cell)
    return new_notebook(cells=cells)


def only(name: str) -> Place:
    return lambda folder, right: (folder / name).write_text("what was handed in") and None


def alone(name: str) -> Place:
    return lambda folder, right: write(folder / name, right)


def named(folder: Path, right: NotebookNode) -> None:
    write(folder / FILE, right)
    write(folder / COPY, empty(folder))
    (folder / "broken.ipynb").write_text("{")


def in_a_copy(folder: Path, right: NotebookNode) -> None:
    write(folder / FILE, empty(folder))
    write(folder / COPY, right)


def with_an_id_alone(folder: Path, right: NotebookNode) -> None:
    notebook = empty(folder)
    for cell in notebook.cells:
        cell.source = cell.source.replace("student_id = ...", 'student_id = "with_an_id_alone"')
    write(folder / FILE, notebook)
    write(folder / COPY, right)


def twice_the_same(folder: Path, right: NotebookNode) -> None:
    in_a_copy(folder, right)
    write(folder / AGAIN, right)


def without_metadata(folder: Path, right: NotebookNode) -> None:
    for cell in right.cells:
        cell.metadata = NotebookNode()
    write(folder / "Untitled.ipynb", right)


def beside_another_assignment(folder: Path, right: NotebookNode) -> None:
    write(folder / FILE, others())
    write(folder / COPY, right)


def with_nan_in_an_output(folder: Path, right: NotebookNode) -> None:
    cell = cell_of(right, "predict")
    data: dict[str, Any] = {"application/json": {"loss": float("nan"), "deep": []}}
    for _ in range(100):
        data = {"application/json": data}
    cell.outputs = [{"output_type": "display_data", "metadata": {}, "data": data}]
    write(folder / FILE, right)


def with_a_pasted_cell(folder: Path, right: NotebookNode) -> None:
    for cell in right.cells:
        cell.metadata = NotebookNode()
    right.cells = [cell for cell in right.cells if "check(" not in cell.source]
    write(folder / FILE, right)
    right.cells.append(others().cells[0])
    write(folder / FILE, right)


def untouched(folder: Path, right: NotebookNode) -> None:
    write(folder / FILE, empty(folder))


def anothers_work(folder: Path, right: NotebookNode) -> None:
    """Whoever links to another student's folder reads nothing of it."""
    untouched(folder, right)
    (folder / COPY).symlink_to(f"../../named/{NAME}/{FILE}")
    os.mkfifo(folder / AGAIN)


def several(folder: Path, right: NotebookNode) -> None:
    in_a_copy(folder, right)
    changed = copy.deepcopy(right)
    cell_of(changed, "predict").source += "\n# another attempt"
    write(folder / AGAIN, changed)


def another_assignment(folder: Path, right: NotebookNode) -> None:
    write(folder / FILE, others())


def nobodys(folder: Path, right: NotebookNode) -> None:
    write(folder / "notes.ipynb", new_notebook(cells=[new_code_cell("print('hello')")]))


def broken(folder: Path, right: NotebookNode) -> None:
    (folder / FILE).write_text(json.dumps(right)[:-200])


def nothing(folder: Path, right: NotebookNode) -> None:
    pass


GRADED: dict[str, tuple[Place, float, tuple[str, ...]]] = {
    "named": (named, FULL, (f"{COPY}, broken.ipynb were not read: {FILE} counts",)),
    "in_a_copy": (in_a_copy, FULL, (f"{COPY} was read: {FILE} is as it was released",)),
    "with_an_id_alone": (
        with_an_id_alone,
        FULL,
        (f"{COPY} was read: {FILE} is as it was released",),
    ),
    "twice_the_same": (twice_the_same, FULL, (f"{AGAIN} was read: {FILE} is as it was released",)),
    "downloaded": (
        alone(AGAIN),
        FULL,
        (f"{AGAIN} was read: there is no {FILE}, and its cells are this assignment's",),
    ),
    "without_metadata": (
        without_metadata,
        FULL,
        (f"Untitled.ipynb was read: there is no {FILE}, and its cells are this assignment's",),
    ),
    "beside_another": (
        beside_another_assignment,
        FULL,
        (f"{COPY} was read: {FILE} holds the cells of {OTHER}",),
    ),
    "with_nan": (with_nan_in_an_output, FULL, ()),
    "with_a_pasted_cell": (with_a_pasted_cell, FULL, ()),
    "untouched": (untouched, 0.0, ()),
    "anothers_work": (anothers_work, 0.0, ()),
}
UNGRADED: dict[str, tuple[Place, str, str]] = {
    "several": (several, "several_notebooks", COPY),
    "another_assignment": (another_assignment, "wrong_assignment", f"the cells of {OTHER}"),
    "nobodys": (nobodys, "missing_notebook", "notes.ipynb"),
    "broken": (broken, "bad_notebook", "is not JSON"),
    "nothing": (nothing, "missing_notebook", f"no {FILE}"),
    "script": (only(f"{NAME}.py"), "only_python", f"{NAME}.py"),
    "archive": (only("my work.ZIP"), "only_archive", "my work.ZIP"),
    "printed": (only(f"{NAME}.pdf"), "only_pdf", f"{NAME}.pdf"),
    "mailed": (only(f"{FILE}.txt"), "wrong_ending", f"{FILE}.txt"),
    "folder": (alone(f"{NAME}/{FILE}"), "only_folder", f"{NAME}/{FILE}"),
}
Marks = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def graded(
    run: Any,
    make_line_fitting: Callable[[Path], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Path, Marks, Any]:
    """One class, a student for each kind of hand-in, graded by `autograder grade`."""
    course = make_line_fitting(tmp_path_factory.mktemp("files") / "course")
    keep(course, "predict", "normal_equation")
    done = run("autograder", "release", cwd=course)
    assert done.returncode == 0, done.stderr
    (course / "assignments" / OTHER).mkdir()
    (course / "assignments" / OTHER / f"{OTHER}.py").write_text(OTHERS_SOURCE)
    for student, (place, *_) in (GRADED | UNGRADED).items():
        right = all_right(course, student)
        folder = hand_in(course, student, right, "2026-11-20 12:00:00 UTC")
        (folder / FILE).unlink()
        place(folder, right)
    done = run("autograder", "grade", NAME, "--json", "marks.json", cwd=course)
    assert "Traceback" not in done.stderr
    listed = json.loads((course / "marks.json").read_text())["submissions"]
    return course, {one["student"]: one for one in listed}, done


@pytest.fixture(scope="module")
def stock(
    run: Any, graded: tuple[Path, Marks, Any], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Any]:
    """The same class, graded by stock `nbgrader autograde`: what formgrader's button runs."""
    course = tmp_path_factory.mktemp("stock") / "course"
    shutil.copytree(
        graded[0],
        course,
        symlinks=True,
        ignore=lambda folder, names: {AGAIN} if Path(folder).parent.name == "anothers_work" else (),
    )
    for name in ("gradebook.db", ".autograder/findings", "autograded", "feedback"):
        path = course / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    return course, run("nbgrader", "autograde", NAME, cwd=course)


@pytest.fixture(scope="module")
def pages(run: Any, graded: tuple[Path, Marks, Any]) -> Callable[[str], str]:
    """The words of a student's feedback page."""
    done = run("autograder", "feedback", NAME, cwd=graded[0])
    assert done.returncode == 0, done.stderr
    assert f"{len(UNGRADED)} more say why a hand-in is not graded" in done.stdout

    def read(student: str) -> str:
        page = graded[0] / "feedback" / student / NAME / f"{NAME}.html"
        return page.read_text(encoding="utf-8")

    return read


@pytest.mark.parametrize("student", GRADED)
def test_the_file_that_is_meant_is_graded_with_a_note(graded: Any, student: str) -> None:
    _, score, notes = GRADED[student]
    found = graded[1][student]
    assert (found["reason"], found["score"]) == (None, score), found
    assert [one for one in found["notes"] if "read" in one] == list(notes)


@pytest.mark.parametrize("student", UNGRADED)
def test_where_no_file_can_be_meant_a_reason_says_so(graded: Any, student: str) -> None:
    _, reason, told = UNGRADED[student]
    found = graded[1][student]
    assert (found["status"], found["reason"], found["score"]) == ("ungraded", reason, None)
    assert told in found["detail"]
    assert graded[2].returncode == 1


def test_stock_nbgrader_reads_the_same_files(stock: Any) -> None:
    course, done = stock
    scores: dict[str, float | None] = {}
    for (student, _, cell), (score, _) in in_gradebook(course).items():
        if cell.startswith("test_"):
            scores[student] = (scores.get(student) or 0.0) + (score or 0.0)
    assert scores == {student: score for student, (_, score, _) in GRADED.items()}
    for student, (_, reason, _) in UNGRADED.items():
        assert f"{student}: {reason}: " in done.stderr
    for student, (_, _, notes) in GRADED.items():
        for note in notes:
            assert f"{student}: {note}" in done.stderr


def test_a_file_of_another_name_stands_as_it_was_graded(graded: Any, run: Any) -> None:
    course = graded[0]
    done = run("autograder", "grade", NAME, "--json", "again.json", cwd=course)
    assert done.returncode == 1
    again = json.loads((course / "again.json").read_text())["submissions"]
    for one in again:
        first = graded[1][one["student"]]
        assert (one["score"], one["reason"]) == (first["score"], first["reason"])
        assert one["notes"] == first["notes"]
    record = json.loads((course / "autograded" / "in_a_copy" / f"{NAME}.json").read_text())
    assert record["notes"] == list(GRADED["in_a_copy"][2])
    done = run("autograder", "explain", "in_a_copy", NAME, cwd=course)
    assert f"{COPY} was read" in " ".join(done.stdout.split())


@pytest.mark.parametrize("student", UNGRADED)
def test_whoever_cannot_be_graded_gets_a_page_that_says_what_to_do(
    graded: Any, pages: Callable[[str], str], student: str
) -> None:
    _, reason, told = UNGRADED[student]
    page = pages(student)
    words = WORDS[reason]
    for text in ("Not graded", words.state, "What to do next", told):
        assert text.replace("'", "&#39;") in page
    assert " of 5 points" not in page
    folder = graded[0] / "feedback" / student / NAME
    assert (folder / "timestamp.txt").read_text() == "2026-11-20 12:00:00 UTC\n"


def test_an_untouched_notebook_is_told_that_nothing_was_answered(
    pages: Callable[[str], str],
) -> None:
    page = pages("untouched")
    assert "Nothing was answered" in page
    assert "Nothing to mend" not in page
    assert f"<code>{FILE}</code>" in page


def test_a_page_says_which_file_was_read(pages: Callable[[str], str]) -> None:
    assert f"Of what you handed in, {COPY} was read" in pages("in_a_copy")
    assert "Of what you handed in" not in pages("with_nan")


@pytest.mark.parametrize("command", ["autograder", "nbgrader"])
def test_the_page_goes_once_the_submission_is_graded(
    graded: Any, pages: Callable[[str], str], stock: Any, run: Any, command: str
) -> None:
    course = graded[0] if command == "autograder" else stock[0]
    student = "archive" if command == "autograder" else "printed"
    page = course / "feedback" / student / NAME
    if command == "nbgrader":
        shutil.rmtree(course / "assignments" / OTHER)  # it has no graders, which nbgrader wants
        assert run("autograder", "feedback", NAME, cwd=course).returncode == 0
    assert "Not graded" in (page / f"{NAME}.html").read_text()
    hand_in(course, student, all_right(course, student))
    grade = (command, "grade" if command == "autograder" else "autograde", NAME)
    assert run(*grade, "--student", student, cwd=course).returncode == 0
    assert not page.exists()
    done = run("autograder", "feedback", NAME, "--student", student, cwd=course)
    assert done.returncode == 0, done.stderr
    assert "5</b> of 5 points" in (page / f"{NAME}.html").read_text()


def test_every_reason_has_words_for_a_student() -> None:
    assert {*REASONS, "bad_name", "grader_crashed", "not_written", "grader_error"} <= WORDS.keys()
