"""Putting a submitted notebook back in order: only the student's own cells count as written.

Students delete, copy, rename and edit graded cells, by accident or not. What a cell is worth, and
whether it is graded, comes from the assignment alone, never from the notebook.
"""

import re
from collections.abc import Iterator

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from autograder.course import Assignment, Exercise

# Turning text into HTML takes a time that grows with the square of some texts' length.
LONGEST_TEXT = 20_000
MOST_TEXT = 100_000
# What formgrader would hand to the instructor's browser as it is: every tag but a few plain ones,
# links that run code, formulas that make such links, and entities, which could spell all of these.
# A link to an attachment that is not there would keep the page from being made at all.
ENTITY = re.compile(r"&(?!lt;)(?=#|\w+;)")
ACTIVE_LINK = re.compile(
    r"(javascript|vbscript|attachment|data(?!:image/(png|jpeg|gif|webp)))(?=\s*\\?:)(?! )",
    re.IGNORECASE,
)
ACTIVE_FORMULA = re.compile(
    r"\\(?=(href|url|mmlToken|style|class|cssId|bbox|require|csname)(?![A-Za-z]))"
)
ACTIVE_TAG = re.compile(
    r"<(?!/?(details|summary|br|hr|sub|sup|kbd|em|strong|b|i|p)\s*/?>)(?=[A-Za-z/!?])",
    re.IGNORECASE,
)


def sanitise(notebook: NotebookNode, assignment: Assignment) -> list[str]:
    """Restore the graded structure of a notebook, in place.

    Every exercise gets exactly one solution cell and one graded cell. Of copied graded cells the
    first stays; of copied solution cells the last counts, as it would in Jupyter, and the others
    stay as plain code. Missing cells are added empty. Outputs are dropped, and HTML in text is
    shown, not run.

    Returns:
        what was changed, in words, for the instructor.
    """
    notes: list[str] = []
    _drop_foreign_metadata(notebook, assignment)
    for exercise in assignment.exercises:
        _keep_one(notebook, exercise.name, "last", notes)
        _keep_one(notebook, exercise.graded_cell, "first", notes)
        _add_missing(notebook, exercise, notes)
    room = MOST_TEXT
    for index, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{index}"
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            continue
        text = inert(cell.source)
        cell.source = _cut(text, min(room, LONGEST_TEXT))
        room -= len(cell.source)
        if cell.source != text:
            notes.append(f"the text of cell {index + 1} was cut: it has {len(text)} characters")
    return notes


def inert(markdown: str) -> str:
    """Markdown whose HTML and links run nothing; what it says stays readable."""
    markdown = ENTITY.sub("& ", markdown)  # a link's address ends at a space
    markdown = ACTIVE_LINK.sub(r"\1 ", markdown)
    markdown = ACTIVE_FORMULA.sub(r"\\ ", markdown)
    return ACTIVE_TAG.sub("&lt;", markdown)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else (text[: longest - 1] + "…")[:longest]


def code_cells(notebook: NotebookNode, assignment: Assignment) -> Iterator[tuple[str | None, str]]:
    """The student's code cells, in order: (the exercise a cell belongs to or None, its source)."""
    graded = {exercise.graded_cell for exercise in assignment.exercises}
    exercises = {exercise.name for exercise in assignment.exercises}
    for cell in notebook.cells:
        name = grade_id(cell)
        if cell.cell_type == "code" and name not in graded:
            yield (name if name in exercises else None), cell.source


def grade_id(cell: NotebookNode) -> str | None:
    """The nbgrader id of a cell, if it has one."""
    mark = cell.metadata.get("nbgrader")
    name = mark.get("grade_id") if isinstance(mark, dict) else None
    return name if isinstance(name, str) else None


def metadata_of(exercise: Exercise, graded: bool) -> dict:
    """nbgrader's metadata (schema 3) of an exercise's graded or solution cell."""
    mark: dict = {
        "schema_version": 3,
        "grade_id": exercise.graded_cell if graded else exercise.name,
        "grade": graded,
        "solution": not graded,
        "locked": graded,
        "task": False,
    }
    return {**mark, "points": exercise.points, "cell_type": "code"} if graded else mark


def _drop_foreign_metadata(notebook: NotebookNode, assignment: Assignment) -> None:
    known = {
        name: metadata_of(exercise, graded)
        for exercise in assignment.exercises
        for name, graded in ((exercise.name, False), (exercise.graded_cell, True))
    }
    for cell in notebook.cells:
        name = grade_id(cell)
        cell.metadata.pop("nbgrader", None)
        if name in known:
            cell.metadata["nbgrader"] = NotebookNode(known[name])
            cell.cell_type = "code"
        cell.pop("attachments", None)


def _keep_one(notebook: NotebookNode, name: str, which: str, notes: list[str]) -> None:
    copies = [cell for cell in notebook.cells if grade_id(cell) == name]
    if len(copies) < 2:
        return
    kept = copies[0] if which == "first" else copies[-1]
    others = {id(cell) for cell in copies if cell is not kept}  # equal cells are not the same cell
    if which == "first":
        notebook.cells = [cell for cell in notebook.cells if id(cell) not in others]
    else:
        for cell in copies[:-1]:
            del cell.metadata["nbgrader"]
    notes.append(f"cell {name} was there {len(copies)} times; the {which} one counts")


def _add_missing(notebook: NotebookNode, exercise: Exercise, notes: list[str]) -> None:
    names = [grade_id(cell) for cell in notebook.cells]
    if exercise.name not in names:
        where = names.index(exercise.graded_cell) if exercise.graded_cell in names else len(names)
        notebook.cells.insert(where, _empty(exercise, graded=False))
        notes.append(f"cell {exercise.name} was missing; it was added empty")
    names = [grade_id(cell) for cell in notebook.cells]
    if exercise.graded_cell not in names:
        notebook.cells.insert(names.index(exercise.name) + 1, _empty(exercise, graded=True))
        notes.append(f"cell {exercise.graded_cell} was missing; it was put back")


def _empty(exercise: Exercise, graded: bool) -> NotebookNode:
    cell = new_code_cell("")
    cell.metadata["nbgrader"] = NotebookNode(metadata_of(exercise, graded))
    return cell
