"""What grading needs elsewhere, in one folder: the course, the engine's wheel, pinned versions.

It holds solutions, graders and the course secret: whoever can read it knows all answers.
"""

import shutil
from pathlib import Path

from autograder.course import Course
from autograder.course.course import CONFIG
from autograder.harness.engine import pins, write_wheel
from autograder.sandbox.inside.versions import importable

COURSE = "course"
"""The folder of a parcel that holds the course."""
REQUIREMENTS = "requirements.txt"
"""The file of a parcel that pins every version but the engine's."""
PARTS = ("assignments", "solutions", "graders")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.ipynb", "tests")


def pack(course: Course, folder: Path) -> None:
    """Write all that grading a course needs into a folder.

    Args:
        course: the course; its secret travels along, so that marks are those of its gradebook.
        folder: it gets `course/`, the engine's wheel and `requirements.txt`.
    """
    root = folder / COURSE
    for part in PARTS:
        shutil.copytree(course.root / part, root / part, ignore=LEFT_OUT)
    for name in course.sources:
        # What students received: grading tells by it whether a notebook has work in it.
        released = course.folder("release") / name / f"{name}.ipynb"
        if released.is_file():
            copy = root / released.relative_to(course.root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(released, copy)
    shutil.copy(course.root / CONFIG, root)
    secret = root / course.secret_file
    secret.parent.mkdir(parents=True, exist_ok=True)
    secret.write_bytes(course.secret + b"\n")
    write_wheel(folder)
    pinned = pins(importable(**course.packages.names()))
    (folder / REQUIREMENTS).write_text("\n".join(pinned) + "\n", encoding="utf-8")
