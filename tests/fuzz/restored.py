"""What every notebook must be once it is put in order, whatever it was."""

import copy
import json

import nbformat
from nbformat import NotebookNode

from autograder.course import Assignment, Exercise
from autograder.notebooks.sanitise import grade_id, metadata_of, sanitise
from autograder.verdicts.submission import Submission

ASSIGNMENT = Assignment(
    "09-example",
    (Exercise("f", 2.0, "code"), Exercise("q1", 1.0, "quiz"), Exercise("w1", 3.0, "written")),
)


def check_restored(notebook: NotebookNode, assignment: Assignment) -> None:
    """Put a notebook in order and demand that it can be graded as if it had never been touched."""
    sanitise(notebook, assignment)
    nbformat.validate(notebook)
    written = json.dumps(notebook, allow_nan=False, ensure_ascii=False).encode()
    expected = [
        (name, metadata_of(exercise, graded))
        for exercise in assignment.exercises
        for name, graded in {exercise.name: False, exercise.graded_cell: True}.items()
    ]
    marks = [(grade_id(cell), cell.metadata["nbgrader"]) for cell in marked_cells(notebook)]
    assert sorted(marks, key=str) == sorted(expected, key=str)
    for cell in marked_cells(notebook):
        assert cell.cell_type == cell.metadata["nbgrader"].get("cell_type", "code")
    again = copy.deepcopy(notebook)
    sanitise(again, assignment)
    assert json.dumps(again, ensure_ascii=False).encode() == written
    submission = Submission.of(notebook, assignment, "ada", {})
    assert Submission.from_json(json.loads(json.dumps(submission.to_json()))) == submission
    own = [name for name, _ in submission.cells if name is not None]
    run = [exercise.name for exercise in assignment.exercises if exercise.kind != "written"]
    assert sorted(own) == sorted(run)
    assert submission.written.keys() <= {"w1"}


def marked_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells that carry a mark of nbgrader's."""
    return [cell for cell in notebook.cells if cell.metadata]
