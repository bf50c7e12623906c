"""GitHub Actions: grading in the private repository, and visible checks in the students'."""

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

# By their commits, since a tag can be moved.
ACTIONS = {
    "checkout": "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1  # v7.0.1",
    "setup_python": "actions/setup-python@5fda3b95a4ea91299a34e894583c3862153e4b97  # v7.0.0",
    "cache_restore": "actions/cache/restore@27d5ce7f107fe9357f9df03efb73ab90386fccae  # v5.0.5",
    "cache_save": "actions/cache/save@27d5ce7f107fe9357f9df03efb73ab90386fccae  # v5.0.5",
    "upload_artifact": "actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f  # v7.0.0",
}
WORKFLOWS = ".github/workflows"


def write(course: Course, names: list[str], output: Path) -> list[str]:
    """Write what stands in the two repositories; see `platforms.write`."""
    begin(output)
    private, public = output / COURSE_REPOSITORY, output / STUDENT_REPOSITORY
    installs = write_shared(course, private)
    text = filled("github/grade.yml", installs=installs, **grading(course, names), **ACTIONS)
    write_files(private, {f"{WORKFLOWS}/grade.yml": text})
    needed = installs_of_students(course)
    for name in names:
        text = filled("github/check.yml", installs=needed, name=name, **ACTIONS)
        write_files(public, {f"{WORKFLOWS}/{name}.yml": text})
    where = "Under Settings, Secrets and variables, Actions, of the private repository"
    return next_steps(course, output, where)
