"""A person's marks for a written answer stand as long as the answer does.

nbgrader asks for every score that a person gave once more, whenever a submission is graded again.
Ours are asked for again only where the answer is no longer the one that was read: the autograded
notebook of the last time still holds that one.
"""

from pathlib import Path

from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry

from autograder.course import Assignment, Course
from autograder.notebooks.plain_file import BadNotebook
from autograder.notebooks.reading import read_notebook
from autograder.notebooks.sanitise import answer_to, sanitise
from autograder.notebooks.submitted import Submitted


def reopen_changed(course: Course, gradebook: Gradebook, assignment: str, student: str) -> None:
    """Ask again for marks of written answers that have changed; before autograded/ does.

    Args:
        course: the course.
        gradebook: its gradebook.
        assignment: the assignment's name.
        student: the student's id.
    """
    if assignment not in course.sources:
        return
    known = course.assignment(assignment)
    new = _read(course, known, course.folder("submitted") / student / assignment)
    for cell in reopened(course, known, student, new):
        try:
            grade = gradebook.find_grade(cell, assignment, assignment, student)
        except MissingEntry:
            continue
        grade.needs_manual_grade = True
    gradebook.db.commit()


def reopened(
    course: Course, assignment: Assignment, student: str, new: NotebookNode | None
) -> frozenset[str]:
    """The cells of written answers that are no longer what autograded/ holds.

    Args:
        course: the course.
        assignment: the assignment.
        student: the student's id.
        new: the notebook that was handed in, in order; None where it cannot be read.
    """
    written = [exercise for exercise in assignment.exercises if exercise.kind == "written"]
    if not written:
        return frozenset()
    old = _read(course, assignment, course.folder("autograded") / student / assignment.name)
    if old is None:
        return frozenset()
    return frozenset(
        exercise.graded_cell
        for exercise in written
        if new is None or answer_to(new, exercise) != answer_to(old, exercise)
    )


def _read(course: Course, assignment: Assignment, folder: Path) -> NotebookNode | None:
    one = Submitted(folder.parent.name, assignment.name, folder)
    try:
        notebook = read_notebook(one.notebook, 2 * course.limits.notebook_mb * 2**20)
    except BadNotebook:
        return None
    sanitise(notebook, assignment)
    return notebook
