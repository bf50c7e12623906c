"""Scores in nbgrader's database: which assignments it knows, and clearing what is stale."""

import shutil
from collections.abc import Iterable
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory

from autograder.course import Assignment, Course
from autograder.gradebook import patience, revision
from autograder.gradebook.grading import grader_of
from autograder.gradebook.reopening import reopen_changed

patience.install()
revision.install()


def open_gradebook(course: Course) -> Gradebook:
    """The course's gradebook, at the address that nbgrader uses."""
    directory = CourseDirectory(config=course.config)
    return Gradebook(directory.db_url, directory.course_id)


def is_registered(gradebook: Gradebook, assignment: Assignment) -> bool:
    """Whether the gradebook knows this assignment with these exercises and points."""
    try:
        notebook = gradebook.find_notebook(assignment.name, assignment.name)
    except MissingEntry:
        return False
    known = {cell.name: cell.max_score for cell in notebook.grade_cells}
    return known == {one.graded_cell: one.nbgrader_points for one in assignment.exercises}


def clear_scores(gradebook: Gradebook, assignment: str, student: str) -> None:
    """Take back the automatic scores of a submission; what an instructor gave stays as it is.

    A submission that cannot be graded must not keep an old score as if it were new.
    """
    try:
        submission = gradebook.find_submission(assignment, student)
    except MissingEntry:
        return
    for notebook in submission.notebooks:
        for grade in notebook.grades:
            grade.auto_score = None
            if grade.manual_score is None:
                grade.needs_manual_grade = True
    gradebook.db.commit()


def take_back(course: Course, gradebook: Gradebook, assignment: str, student: str) -> None:
    """Clear a submission's automatic scores, and remove what was made of them."""
    reopen_changed(course, gradebook, assignment, student)
    clear_scores(gradebook, assignment, student)
    for step in ("autograded", "feedback"):
        shutil.rmtree(course.folder(step) / student / assignment, ignore_errors=True)


def clear_before_converting(assignment: str, student: str, notebooks: Iterable[str]) -> None:
    """nbgrader's pre_convert_hook: clear first, so that any failure from here on leaves no score.

    Args:
        assignment: a name, or a pattern; the notebooks' paths say which it is.
        student: likewise.
        notebooks: paths of the notebooks that are about to be converted.
    """
    course = grader_of(Path.cwd()).course
    with open_gradebook(course) as gradebook:
        for folder in {Path(notebook).parent for notebook in notebooks}:
            clear_scores(gradebook, folder.name, folder.parent.name)
