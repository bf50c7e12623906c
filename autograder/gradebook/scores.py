"""Scores in nbgrader's database: written through nbgrader, cleared before they are stale."""

import logging
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory

from autograder.course import Assignment, Course, load_course
from autograder.gradebook.reopening import reopen_changed

# The line of a traceback that names the exception: `nbgrader.api.MissingEntry: No such cell`.
EXCEPTION = re.compile(r"\s*(\w+\.)*[A-Z]\w*[a-z]\w*: ")  # not PostgreSQL's `DETAIL: `
# Graders on other machines take no turns with us: what they caused is gone the next time.
COLLISION = re.compile(r"IntegrityError|UniqueViolation|StaleDataError|Deadlock|Serialization")
TRIES = 3


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
    return known == {one.graded_cell: one.points for one in assignment.exercises}


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
    course = load_course(Path.cwd())
    with open_gradebook(course) as gradebook:
        for folder in {Path(notebook).parent for notebook in notebooks}:
            reopen_changed(course, gradebook, folder.name, folder.parent.name)
            clear_scores(gradebook, folder.name, folder.parent.name)


class Writer:
    """Writes submissions' grades through nbgrader's own autograde.

    Args:
        course: the course.
    """

    def __init__(self, course: Course) -> None:
        directory = CourseDirectory(config=course.config)
        # nbgrader prints a traceback there of what it also returns.
        logging.getLogger("tornado.application").setLevel(logging.CRITICAL)
        self._api = NbGraderAPI(directory, config=course.config)

    def write(self, assignment: str, student: str) -> str | None:
        """Autograde one submission into the gradebook.

        Returns:
            None when it went well, else the last line of what nbgrader said.

        Raises:
            KeyboardInterrupt: nbgrader has caught one, and left the submission without a score.
        """
        for _ in range(TRIES):
            failure = self._try(assignment, student)
            if failure is None or not COLLISION.search(failure):
                break
        return failure

    def _try(self, assignment: str, student: str) -> str | None:
        result = self._api.autograde(assignment, student, force=True, create=True)
        if result["success"]:
            return None
        if result["error"].rstrip().endswith("KeyboardInterrupt"):
            raise KeyboardInterrupt
        said = (result.get("log") or result.get("error") or "").strip().splitlines()
        blamed = [line.strip() for line in said if EXCEPTION.match(line)]
        return (blamed or said or ["nbgrader gave no reason"])[-1]
