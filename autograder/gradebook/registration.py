"""An assignment's cells in the gradebook: all of them, or none.

nbgrader's SaveCells commits them row by row: whoever is stopped meanwhile leaves half of them, and
a submission that is graded then gets rows for that half alone. Here they are one transaction, which
also adds what such a stop has left out.
"""

import json
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    MissingEntry,
    Notebook,
    SolutionCell,
    SourceCell,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_locked, is_solution, is_task
from sqlalchemy import Select, exists, select
from traitlets import Unicode

from autograder import course
from autograder.course.locks import locked
from autograder.gradebook import nbgrader_patches, revision
from autograder.gradebook.logged import Logged

nbgrader_patches.patch_gradebook()

# Rows that nbgrader gives to every submission, and for which kinds of cells.
MIRRORED = ((Grade, (GradeCell, TaskCell)), (Comment, (SolutionCell, TaskCell)))

ANOTHER_VERSION = (
    "{name}: the gradebook holds submissions of an earlier version with other exercises. "
    "Give the new version a new name, or back gradebook.db up and run "
    "`nbgrader db assignment remove {name} --force`."
)

Cells = dict[type, dict[str, dict[str, Any]]]  # what stands in the row of each, by kind and name


class AnotherVersion(RuntimeError):
    """The gradebook holds submissions of a version with other cells."""


class KeepCells(NbGraderPreprocessor):
    """Keeps an instructor's notebook as `RegisterCells` would enter it, for `register_cells`."""

    file = Unicode(help="Where it is kept.").tag(config=True)

    def preprocess(
        self, nb: NotebookNode, resources: ResourcesDict
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Write the notebook to the file; it stays as it is."""
        nbformat.write(nb, self.file)
        return nb, resources


class RegisterCells(NbGraderPreprocessor):
    """Enters an instructor's notebook into the gradebook, in the place of nbgrader's SaveCells."""

    def preprocess(
        self, nb: NotebookNode, resources: ResourcesDict
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Enter the assignment, its cells and points; the notebook stays as it is."""
        names = resources["nbgrader"]
        course_id = CourseDirectory(config=self.config).course_id
        with locked(Path.cwd(), "register"), Gradebook(names["db_url"], course_id) as gradebook:
            revision.stamp(gradebook.engine)
            _enter(gradebook, names["assignment"], names["notebook"], nb)
            gradebook.db.commit()
        return nb, resources


def refuse_another_version(gradebook: Gradebook, name: str, nb: NotebookNode) -> None:
    """Only look whether an assignment's cells could be entered.

    Raises:
        CourseError: the gradebook holds submissions of a version with other exercises.
    """
    with suppress(MissingEntry):
        notebook = gradebook.find_notebook(name, name)
        if notebook.submissions and _is_another_version(_cells(nb), _there(notebook)):
            raise course.CourseError(ANOTHER_VERSION.format(name=name))


def register_cells(gradebook: Gradebook, of: course.Course, name: str, nb: NotebookNode) -> None:
    """Enter an assignment, its cells and points; who calls holds the lock on registering.

    Args:
        gradebook: the course's.
        of: the course.
        name: the assignment's name.
        nb: the instructor's notebook, as `KeepCells` kept it.

    Raises:
        CourseError: the gradebook holds submissions of a version with other exercises.
    """
    revision.stamp(gradebook.engine)
    before = _points(gradebook, name)
    try:
        _enter(gradebook, name, name, nb)
        gradebook.db.commit()
    except AnotherVersion as error:
        gradebook.db.rollback()
        raise course.CourseError(ANOTHER_VERSION.format(name=name)) from error
    after = _points(gradebook, name)
    changed = {cell: (before.get(cell), after.get(cell)) for cell in {**before, **after}}
    Logged(of, of.assignment(name)).registered(changed)


def _points(gradebook: Gradebook, name: str) -> dict[str, float]:
    """What the gradebook says each graded cell is worth."""
    try:
        cells = gradebook.find_notebook(name, name).grade_cells
    except MissingEntry:
        return {}
    return {cell.name: cell.max_score for cell in cells}


def is_registered(gradebook: Gradebook, assignment: course.Assignment) -> bool:
    """Whether the gradebook knows this assignment, whole, with these exercises and points."""
    try:
        notebook = gradebook.find_notebook(assignment.name, assignment.name)
    except MissingEntry:
        return False
    points = {one.graded_cell: one.nbgrader_points for one in assignment.exercises}
    answers = {one.name for one in assignment.exercises}
    return (
        {cell.name: cell.max_score for cell in notebook.grade_cells} == points
        and _names(notebook.solution_cells) == answers
        and _names(notebook.source_cells) >= answers | points.keys()
        and all(gradebook.db.execute(query).first() is None for query in _lacking(notebook))
    )


def _enter(gradebook: Gradebook, assignment: str, name: str, nb: NotebookNode) -> None:
    session = gradebook.db
    notebook = _notebook(gradebook, assignment, name)
    notebook.kernelspec = json.dumps(nb.metadata.get("kernelspec", {}))
    wanted = _cells(nb)
    there = _there(notebook)
    if notebook.submissions and _is_another_version(wanted, there):
        raise AnotherVersion(
            f"{name} cannot get or lose cells: there are submissions associated with it"
        )
    for kind, cells in wanted.items():
        for gone in there[kind].keys() - cells.keys():
            session.delete(there[kind][gone])
        for cell_name, values in cells.items():
            cell = there[kind].get(cell_name) or kind(name=cell_name, notebook=notebook)
            for key, value in values.items():
                setattr(cell, key, value)
            session.add(cell)
    session.flush()
    _complete_submissions(session, notebook)


def _notebook(gradebook: Gradebook, assignment: str, name: str) -> Notebook:
    """The notebook's row, and the assignment's; made where they are not there."""
    try:
        parent = gradebook.find_assignment(assignment)
    except MissingEntry:
        parent = Assignment(name=assignment, course_id=gradebook.course_id)
        gradebook.db.add(parent)
    for notebook in parent.notebooks:
        if notebook.name == name:
            return notebook
    notebook = Notebook(name=name, assignment=parent)
    gradebook.db.add(notebook)
    return notebook


def _there(notebook: Notebook) -> dict[type, dict[str, Any]]:
    """The rows of a notebook's cells, by kind and name."""
    return {
        GradeCell: {cell.name: cell for cell in notebook.grade_cells},
        SolutionCell: {cell.name: cell for cell in notebook.solution_cells},
        TaskCell: {cell.name: cell for cell in notebook.task_cells},
        SourceCell: {cell.name: cell for cell in notebook.source_cells},
    }


def _cells(nb: NotebookNode) -> Cells:
    """What nbgrader keeps of each cell that it marks."""
    cells: Cells = {GradeCell: {}, SolutionCell: {}, TaskCell: {}, SourceCell: {}}
    for cell in nb.cells:
        mark = cell.metadata.get("nbgrader", {})
        for kind, is_kind in ((GradeCell, is_grade), (TaskCell, is_task)):
            if is_kind(cell):
                points = float(mark["points"])
                cells[kind][mark["grade_id"]] = {"max_score": points, "cell_type": cell.cell_type}
        if is_solution(cell):
            cells[SolutionCell][mark["grade_id"]] = {}
        if is_solution(cell) or is_locked(cell) or is_task(cell) or is_grade(cell):
            cells[SourceCell][mark["grade_id"]] = {
                "cell_type": cell.cell_type,
                "locked": is_locked(cell),
                "source": cell.source,
                "checksum": mark.get("checksum"),
            }
    return cells


def _is_another_version(wanted: Cells, there: dict[type, dict[str, Any]]) -> bool:
    """Whether other cells stand there than are wanted, and not for having been left half.

    nbgrader enters the source of cells last: where some have none, it was stopped.
    """
    if any(there[kind].keys() - wanted[kind].keys() for kind in wanted):
        return True
    marked = set().union(*(there[kind] for kind in wanted if kind is not SourceCell))
    is_whole = bool(marked) and marked <= there[SourceCell].keys()
    return is_whole and any(wanted[kind].keys() != there[kind].keys() for kind in wanted)


def _complete_submissions(session: Any, notebook: Notebook) -> None:
    """Give submissions that were made beside half of the cells the rows that they lack."""
    notebooks, *cells = _lacking(notebook)
    session.add_all(
        SubmittedNotebook(assignment_id=submission, notebook_id=notebook.id)
        for submission in session.scalars(notebooks)
    )
    session.flush()
    for (kind, _), query in zip(MIRRORED, cells, strict=True):
        session.add_all(
            kind(notebook_id=submitted, cell_id=cell) for submitted, cell in session.execute(query)
        )


def _lacking(notebook: Notebook) -> Iterable[Select]:
    """Queries for submissions without this notebook, then for cells without a row in MIRRORED."""
    yield select(SubmittedAssignment.id).where(
        SubmittedAssignment.assignment_id == notebook.assignment_id,
        ~exists().where(
            SubmittedNotebook.assignment_id == SubmittedAssignment.id,
            SubmittedNotebook.notebook_id == notebook.id,
        ),
    )
    for kind, cells in MIRRORED:
        pairs = select(SubmittedNotebook.id, BaseCell.id).join(
            BaseCell, BaseCell.notebook_id == SubmittedNotebook.notebook_id
        )
        yield pairs.where(
            SubmittedNotebook.notebook_id == notebook.id,
            BaseCell.type.in_([one.__name__ for one in cells]),
            ~exists().where(kind.notebook_id == SubmittedNotebook.id, kind.cell_id == BaseCell.id),
        )


def _names(cells: Collection[Any]) -> set[str]:
    return {cell.name for cell in cells}
