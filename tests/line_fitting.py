"""The second course in tests: its one assignment, what students hand in, and marks by hand."""

import json
import re
from pathlib import Path

import nbformat
from gradebook_rows import url_of
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from small_curriculum import perfect

COURSE = Path(__file__).parents[1] / "examples" / "line-fitting"
NAME = "01-line-fitting"
SOURCE = f"assignments/{NAME}/{NAME}.py"
REFERENCE = "solutions/line_fitting/reference.py"
AUTOMATIC = 20.0  # points, without the 3 of w1, which a person gives
WHOLE = 23.0
CELL = re.compile(r"^(?=# %%)", re.MULTILINE)
DECLARED = re.compile(r'# %% (?:exercise|quiz|written)="(\w+)"')


def keep(course: Path, *names: str) -> None:
    """Leave these exercises and questions in the notebook, and what code needs above them."""
    head, *cells = CELL.split((course / SOURCE).read_text(encoding="utf-8"))
    declared = [DECLARED.match(cell) for cell in cells]
    assert set(names) <= {one[1] for one in declared if one}
    kept = [
        cell
        for cell, one in zip(cells, declared, strict=True)
        if (one[1] in names if one else cell.startswith("# %%\n"))
    ]
    (course / SOURCE).write_text(head + "".join(kept), encoding="utf-8")


def cell_of(notebook: NotebookNode, name: str) -> NotebookNode:
    """The cell that nbgrader knows by a name."""
    (found,) = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == name]
    return found


def released(course: Path) -> NotebookNode:
    """What students receive."""
    return nbformat.read(course / "release" / NAME / f"{NAME}.ipynb", as_version=4)


def all_right(course: Path, student: str) -> NotebookNode:
    """What was released with all code and answers right, and nothing written in words."""
    notebook = released(course)
    right = {cell.id: cell.source for cell in perfect(course, NAME, student).cells}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = right[cell.id]
    return notebook


def hand_in(course: Path, student: str, notebook: NotebookNode, when: str = "") -> Path:
    """Submit a notebook, again if need be, and say when; gives its folder."""
    folder = course / "submitted" / student / NAME
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{NAME}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    if when:
        (folder / "timestamp.txt").write_text(f"{when}\n")
    return folder


def submitted(course: Path, student: str) -> NotebookNode:
    """What a student has handed in."""
    return nbformat.read(course / "submitted" / student / NAME / f"{NAME}.ipynb", as_version=4)


def gradebook(course: Path) -> Gradebook:
    """The course's gradebook, as nbgrader opens it."""
    return Gradebook(url_of(course), "line-fitting")


def by_hand(course: Path, student: str, cell: str, comment: str = "", **marks: float) -> None:
    """What formgrader does with what an instructor types beside a graded cell."""
    with gradebook(course) as book:
        grade = book.find_grade(cell, NAME, NAME, student)
        for field, value in marks.items():
            setattr(grade, field, value)
        grade.needs_manual_grade = False
        if comment:
            answer = cell.removeprefix("test_")
            book.find_comment(answer, NAME, NAME, student).manual_comment = comment
        book.db.commit()


def edit(path: Path, old: str, new: str) -> None:
    """Replace a text that a file is sure to hold."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
