"""A person's marks for an answer stand as long as the answer does.

nbgrader asks for every score that a person gave once more, whenever a submission is graded again.
Ours are asked for again only where the answer is no longer the one that was read: the autograded
notebook of the last time still holds that one.
"""

from collections.abc import Iterable
from contextlib import suppress

from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry

from autograder.course import Assignment, Course, Exercise
from autograder.notebooks.choosing import choose
from autograder.notebooks.plain_file import BadNotebook
from autograder.notebooks.reading import read_notebook
from autograder.notebooks.sanitise import sanitise
from autograder.notebooks.submitted import Submitted
from autograder.notebooks.written_answers import answer_to


def reopen_changed(course: Course, gradebook: Gradebook, assignment: str, student: str) -> None:
    """Ask again for marks of answers that have changed; before autograded/ does.

    Args:
        course: the course.
        gradebook: its gradebook.
        assignment: the assignment's name.
        student: the student's id.
    """
    if assignment not in course.sources:
        return
    try:
        submission = gradebook.find_submission(assignment, student)
    except MissingEntry:
        return
    grades = (grade for notebook in submission.notebooks for grade in notebook.grades)
    by_hand = {grade.name: grade for grade in grades if grade.manual_score is not None}
    if not by_hand:
        return
    known = course.assignment(assignment)
    new = None
    with suppress(BadNotebook, OSError):
        folder = course.folder("submitted") / student / assignment
        new = choose(course, Submitted(student, assignment, folder)).notebook
        sanitise(new, known)
    marked = [one for one in known.exercises if one.graded_cell in by_hand]
    for cell in reopened(course, known, student, new, marked):
        by_hand[cell].needs_manual_grade = True
    gradebook.db.commit()


def reopened(
    course: Course,
    assignment: Assignment,
    student: str,
    new: NotebookNode | None,
    exercises: Iterable[Exercise],
) -> frozenset[str]:
    """The graded cells of those exercises whose answers are no longer what autograded/ holds.

    Args:
        course: the course.
        assignment: the assignment.
        student: the student's id.
        new: the notebook that was handed in, in order; None where it cannot be read.
        exercises: which answers are looked at.
    """
    asked = list(exercises)
    if not asked:
        return frozenset()
    folder = course.folder("autograded") / student / assignment.name
    one = Submitted(student, assignment.name, folder)
    try:
        old = read_notebook(one.notebook, 2 * course.limits.notebook_mb * 2**20)
    except BadNotebook:
        return frozenset()
    sanitise(old, assignment)
    return frozenset(
        exercise.graded_cell
        for exercise in asked
        if new is None
        or answer_to(new, assignment, exercise) != answer_to(old, assignment, exercise)
    )
