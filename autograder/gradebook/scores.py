"""The course's gradebook, opened as nbgrader opens it."""

from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory

from autograder.course import Course
from autograder.gradebook import nbgrader_patches

nbgrader_patches.patch_gradebook()

SQLITE = "sqlite:///"


def open_gradebook(course: Course) -> Gradebook:
    """The course's gradebook, at the address that nbgrader uses."""
    directory = CourseDirectory(config=course.config)
    return Gradebook(directory.db_url, directory.course_id)


def has_gradebook(course: Course) -> bool:
    """Whether there is one to look at: nbgrader makes one whenever it opens none."""
    url = str(CourseDirectory(config=course.config).db_url)
    return not url.startswith(SQLITE) or Path(url.removeprefix(SQLITE)).is_file()
