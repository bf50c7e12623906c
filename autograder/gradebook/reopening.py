"""A person's marks for a written answer stand as long as the answer does.

nbgrader asks for every score that a person gave once more, whenever a submission is graded again.
Ours are asked for again only where the answer is no longer the one that was read: the autograded
notebook of the last time still holds that one.
"""

from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry

from autograder.course import Assignment, Course
from autograder.notebooks import BadNotebook, Submitted, read_notebook, sanitise
from autograder.notebooks.sanitise import answer_to


def reopen_changed(course: Course, gradebook: Gradebook, assignment: str, student: str) -> None:
    """Ask again for marks of written answers that have changed; before autograded/ does.

    Args:
        course: the course.
        gradebook: its gradebook.
        assignment: the assignment's name.
        student: the student's id.
    """
    known = course.assignments.get(assignment)
    written = [one.name for one in known.exercises if one.kind == "written"] if known else []
    if known is None or not written:
        return
    folders = (course.folder(step) / student / assignment for step in ("autograded", "submitted"))
    read, new = (_answers(course, known, folder) for folder in folders)
    if read is None or new == read:
        return
    for name in written:
        try:
            grade = gradebook.find_grade(name, assignment, assignment, student)
        except MissingEntry:
            continue
        if new is None or new[name] != read[name]:
            grade.needs_manual_grade = True
    gradebook.db.commit()


def _answers(course: Course, assignment: Assignment, folder: Path) -> dict[str, str | None] | None:
    """The written answers of a submission's folder by name; None where nothing can be read."""
    one = Submitted(folder.parent.name, assignment.name, folder)
    try:
        notebook = read_notebook(one.notebook, 2 * course.limits.notebook_mb * 2**20)
    except BadNotebook:
        return None
    sanitise(notebook, assignment)
    written = (exercise for exercise in assignment.exercises if exercise.kind == "written")
    return {exercise.name: answer_to(notebook, exercise) for exercise in written}
