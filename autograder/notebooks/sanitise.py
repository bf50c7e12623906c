"""Putting a submitted notebook back in order: only the student's own cells count as written.

Students delete, copy, rename and edit graded cells, by accident or not. What a cell is worth, and
whether it is graded, comes from the assignment alone, never from the notebook.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from autograder.checks.kit.cell_names import check_place, grade_id
from autograder.course import Assignment, Exercise
from autograder.course.written import UNANSWERED
from autograder.notebooks.demonstrations import Cell, places_to_run
from autograder.notebooks.written_answers import own_cell, passages

# Turning text into HTML takes a time that grows with the square of some texts' length.
LONGEST_TEXT = 20_000
MOST_TEXT = 100_000
FEW = 4  # cells that are named where many were missing
# What formgrader would hand to the instructor's browser as it is: every tag but a few plain ones,
# links that run code, formulas that make such links, and entities, which could spell all of these.
ENTITY = re.compile(r"&(?!lt;)(?=#|\w+;)")
ACTIVE_LINK = re.compile(
    r"(javascript|vbscript|data(?!:image/(png|jpeg|gif|webp)))(?=\s*\\?:)(?! )",
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

    Every exercise gets exactly one solution cell and one graded cell; a written question has one
    cell that is both. Of copied graded cells the first stays; of copied solution cells the last
    counts, as it would in Jupyter, and the others stay as plain cells. Missing cells are added
    empty. Outputs are dropped, and HTML in text is shown, not run.

    Returns:
        what was changed, in words, for the instructor.
    """
    notes: list[str] = []
    _drop_foreign_metadata(notebook, assignment)
    there = Counter(grade_id(cell) for cell in notebook.cells)
    missing: list[str] = []
    for exercise in assignment.exercises:
        if exercise.kind == "written":
            _restore_answer(notebook, assignment, exercise, notes, missing)
            continue
        for name, which in ((exercise.name, "last"), (exercise.graded_cell, "first")):
            if there[name] > 1:
                _keep_one(notebook, name, which, notes)
        if not there[exercise.name] or not there[exercise.graded_cell]:
            missing += _add_missing(notebook, exercise)
    if missing:
        notes.append(_told_missing(missing))
    for index, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{index}"
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    _tame_text(notebook, notes)
    return notes


def _tame_text(notebook: NotebookNode, notes: list[str]) -> None:
    """Bound text and make it inert; answers come first, so that notes around them cost nothing."""
    room = MOST_TEXT
    text_cells = [(i, cell) for i, cell in enumerate(notebook.cells) if cell.cell_type != "code"]
    for index, cell in sorted(text_cells, key=lambda place: grade_id(place[1]) is None):
        text = inert(cell.source)
        cell.source = _cut(text, min(room, LONGEST_TEXT))
        room -= len(cell.source)
        if cell.source != text:
            notes.append(f"the text of cell {index + 1} was cut: it has {len(text)} characters")


def inert(markdown: str) -> str:
    """Markdown whose HTML and links run nothing; what it says stays readable."""
    markdown = ENTITY.sub("& ", markdown)  # a link's address ends at a space
    markdown = ACTIVE_LINK.sub(r"\1 ", markdown)
    markdown = ACTIVE_FORMULA.sub(r"\\ ", markdown)
    return ACTIVE_TAG.sub("&lt;", markdown)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else (text[: longest - 1] + "…")[:longest]


def code_cells(notebook: NotebookNode, assignment: Assignment) -> tuple[Cell, ...]:
    """The student's code cells that grading runs, in order: (the exercise or None, the source)."""
    return tuple(cell for _, cell in _to_run(notebook, assignment))


def cells_above_checks(notebook: NotebookNode, assignment: Assignment) -> dict[str, int]:
    """By exercise, how many of the cells that grading runs stand above its check.

    Left out where that is the one right below its own cell.
    """
    ids = [grade_id(cell) for cell in notebook.cells]
    run = [place for place, _ in _to_run(notebook, assignment)]
    above = {
        one.name: bisect_left(run, check_place(ids, one.name))
        for one in assignment.exercises
        if one.kind != "written"
    }
    return {
        name: count
        for name, count in above.items()
        if count != bisect_left(run, ids.index(name)) + 1
    }


def _to_run(notebook: NotebookNode, assignment: Assignment) -> list[tuple[int, Cell]]:
    """The code cells that grading runs, with their places in a notebook that is in order."""
    graded = {exercise.graded_cell for exercise in assignment.exercises}
    exercises = {exercise.name for exercise in assignment.exercises}
    theirs = [
        (place, (name if (name := grade_id(cell)) in exercises else None, cell.source))
        for place, cell in enumerate(notebook.cells)
        if cell.cell_type == "code" and grade_id(cell) not in graded
    ]
    run = places_to_run([cell for _, cell in theirs], assignment.demonstrations)
    return [theirs[place] for place in run]


def metadata_of(exercise: Exercise, graded: bool) -> dict:
    """nbgrader's metadata (schema 3) of an exercise's graded or solution cell.

    A written question's answer is both, so that nbgrader waits for a person's marks.
    """
    written = exercise.kind == "written"
    mark: dict = {
        "schema_version": 3,
        "grade_id": exercise.graded_cell if graded else exercise.name,
        "grade": graded or written,
        "solution": not graded or written,
        "locked": graded and not written,
        "task": False,
    }
    if not mark["grade"]:
        return mark
    cell_type = "markdown" if written else "code"
    return {**mark, "points": exercise.nbgrader_points, "cell_type": cell_type}


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
            cell.cell_type = known[name].get("cell_type", "code")
            if cell.cell_type == "markdown":
                cell.pop("outputs", None)
                cell.pop("execution_count", None)
        if cell.cell_type != "markdown":
            cell.pop("attachments", None)


def _restore_answer(
    notebook: NotebookNode,
    assignment: Assignment,
    exercise: Exercise,
    notes: list[str],
    missing: list[str],
) -> None:
    """Leave one answer to a written question: of several the last that says something."""
    copies = [cell for cell in notebook.cells if grade_id(cell) == exercise.name]
    lost = None if copies else own_cell(notebook.cells, assignment, exercise)
    if lost is not None:
        lost.metadata["nbgrader"] = NotebookNode(metadata_of(exercise, graded=True))
        copies = [lost]
        notes.append(f"cell {exercise.name} had lost its name; the one below its question counts")
    for cell in copies:
        if cell.source.strip() in ("", UNANSWERED):
            cell.source = UNANSWERED  # to the letter: nbgrader compares checksums
    if not copies:
        cell = new_markdown_cell(UNANSWERED)
        cell.metadata["nbgrader"] = NotebookNode(metadata_of(exercise, graded=True))
        notebook.cells.append(cell)
        missing.append(exercise.name)
    if len(copies) > 1:
        kept = [cell for cell in copies if cell.source != UNANSWERED][-1:] or copies[-1:]
        for cell in copies:
            if cell is not kept[0]:
                del cell.metadata["nbgrader"]
        notes.append(f"cell {exercise.name} was there {len(copies)} times; the last answer counts")
    if passages(notebook, assignment, exercise):
        notes.append(
            f"{exercise.name}: its own cell is empty, and what stands near it waits for you"
        )


def _keep_one(notebook: NotebookNode, name: str, which: str, notes: list[str]) -> None:
    copies = [cell for cell in notebook.cells if grade_id(cell) == name]
    kept = copies[0] if which == "first" else copies[-1]
    others = {id(cell) for cell in copies if cell is not kept}  # equal cells are not the same cell
    if which == "first":
        notebook.cells = [cell for cell in notebook.cells if id(cell) not in others]
    else:
        for cell in copies[:-1]:
            del cell.metadata["nbgrader"]
    notes.append(f"cell {name} was there {len(copies)} times; the {which} one counts")


def _add_missing(notebook: NotebookNode, exercise: Exercise) -> list[str]:
    """Put back what is not there of an exercise's two cells; gives their names."""
    added = []
    names = [grade_id(cell) for cell in notebook.cells]
    if exercise.name not in names:
        where = names.index(exercise.graded_cell) if exercise.graded_cell in names else len(names)
        notebook.cells.insert(where, _empty(exercise, graded=False))
        added.append(exercise.name)
    names = [grade_id(cell) for cell in notebook.cells]
    if exercise.graded_cell not in names:
        notebook.cells.insert(names.index(exercise.name) + 1, _empty(exercise, graded=True))
        added.append(exercise.graded_cell)
    return added


def _told_missing(names: Sequence[str]) -> str:
    """One note on all cells that were put back: a notebook without marks has lost dozens."""
    if len(names) == 1:
        return f"cell {names[0]} was missing; it was put back"
    more = len(names) - FEW
    named = ", ".join(names if more <= 1 else names[:FEW])
    others = f" and {more} more" if more > 1 else ""
    return f"{len(names)} cells were missing: {named}{others}; they were put back"


def _empty(exercise: Exercise, graded: bool) -> NotebookNode:
    cell = new_code_cell("")
    cell.metadata["nbgrader"] = NotebookNode(metadata_of(exercise, graded))
    return cell
