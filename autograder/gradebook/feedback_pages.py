"""Feedback pages, written by nbgrader's own generate_feedback with the course's settings."""

import logging

from nbgrader.converters import GenerateFeedback
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder.course import Course, CourseError


def write_feedback(course: Course, assignment: str) -> None:
    """Write the feedback page of every graded submission of an assignment.

    Raises:
        CourseError: nbgrader could not write some of them.
    """
    config = Config(course.config)
    config.CourseDirectory.assignment_id = assignment
    config.GenerateFeedback.force = True
    log = logging.Logger(__name__, logging.ERROR)
    directory = CourseDirectory(config=config, log=log)
    try:
        GenerateFeedback(coursedir=directory, config=config, log=log).start()
    except NbGraderException as error:
        raise CourseError(f"{assignment}: nbgrader could not write feedback: {error}") from error
