"""`Book` through nbgrader's own autograde, for courses that have changed its stages."""

import logging
import re
from collections.abc import Sequence

from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory

from autograder.gradebook.book import TRIES, Graded
from autograder.gradebook.logged import logged_of
from autograder.notebooks.submitted import Submitted
from autograder.verdicts import Grader, SubmissionVerdict

# The line of a traceback that names the exception: `nbgrader.api.MissingEntry: No such cell`.
EXCEPTION = re.compile(r"\s*(\w+\.)*[A-Z]\w*[a-z]\w*: ")  # not PostgreSQL's `DETAIL: `
# Graders on other machines do not know our locks: what they caused is gone the next time.
COLLISION = re.compile(r"IntegrityError|UniqueViolation|StaleDataError|Deadlock|Serialization")


class StockBook:
    """One assignment in the gradebook, written a submission at a time.

    Args:
        grader: gives nbgrader's preprocessors their verdicts.
        gradebook: unused, since nbgrader opens its own.
        assignment: the assignment's name.

    Attributes:
        logged: logs what is written.
    """

    def __init__(self, grader: Grader, gradebook: Gradebook, assignment: str) -> None:
        directory = CourseDirectory(config=grader.course.config)
        # nbgrader prints a traceback there of what it also returns.
        logging.getLogger("tornado.application").setLevel(logging.CRITICAL)
        self._api = NbGraderAPI(directory, config=grader.course.config)
        self.logged = logged_of(grader.course, assignment)

    def standing(self, one: Submitted) -> SubmissionVerdict | None:
        """None: what a course's own stages do is not known here, so they run again."""
        return None

    def write(self, graded: Sequence[Graded]) -> list[str | None]:
        """Autograde submissions into the gradebook.

        Returns:
            for each None when it went well, else the last line of what nbgrader said.

        Raises:
            KeyboardInterrupt: nbgrader has caught one, and left the submission without a score.
        """
        return [self._write(one.one) for one in graded]

    def _write(self, one: Submitted) -> str | None:
        for _ in range(TRIES):
            failure = self._try(one)
            if failure is None or not COLLISION.search(failure):
                break
        return failure

    def _try(self, one: Submitted) -> str | None:
        result = self._api.autograde(one.assignment, one.student, force=True, create=True)
        if result["success"]:
            return None
        if result["error"].rstrip().endswith("KeyboardInterrupt"):
            raise KeyboardInterrupt
        said = (result.get("log") or result.get("error") or "").strip().splitlines()
        blamed = [line.strip() for line in said if EXCEPTION.match(line)]
        return (blamed or said or ["nbgrader gave no reason"])[-1]
