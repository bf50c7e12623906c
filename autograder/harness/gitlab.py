"""GitLab CI: grading in the private repository, and visible checks in the students'."""

from pathlib import Path

from autograder.course import Course
from autograder.harness.workflows import (
    COURSE_REPOSITORY,
    STUDENT_REPOSITORY,
    begin,
    filled,
    grading,
    installs_of_students,
    next_steps,
    write_files,
    write_shared,
)

PIPELINE = ".gitlab-ci.yml"


def write(course: Course, names: list[str], output: Path) -> list[str]:
    """Write what stands in the two repositories; see `platforms.write`."""
    begin(output)
    private, public = output / COURSE_REPOSITORY, output / STUDENT_REPOSITORY
    installs = write_shared(course, private)
    text = filled("gitlab/grade.yml", installs=installs, **grading(course, names))
    write_files(private, {PIPELINE: text})
    needed = installs_of_students(course)
    write_files(public, {PIPELINE: filled("gitlab/check.yml", installs=needed, checked=names)})
    where = "Under Settings, CI/CD, Variables, of the private repository, masked and protected"
    return next_steps(course, output, where)
