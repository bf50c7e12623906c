"""A new course that runs at once: one assignment, one exercise, one question."""

import json
from pathlib import Path

from autograder.course import CourseError
from autograder.course.layout import (
    checks_folder,
    graders_folder,
    hints_file,
    quiz_file,
    reference_file,
)
from autograder.scaffolding.assignment import packages
from autograder.scaffolding.filling import Library, filled, write

FIRST = "01-first-steps"
EXERCISE = "centred"


def new_course(root: Path, library: Library = "numpy") -> list[Path]:
    """Write a course that releases, validates and grades at once.

    Args:
        root: a folder that is new or empty, but for `.git`.
        library: what students may use; torch comes with NumPy.
    Returns:
        what was written.
    Raises:
        CourseError: the folder holds something.
    """
    root = root.resolve()
    if root.exists() and (not root.is_dir() or {one.name for one in root.iterdir()} - {".git"}):
        raise CourseError(f"{root} is not empty. Name a new folder, or an empty one.")
    group = graders_folder(root, FIRST) / EXERCISE
    places = {
        "course_config.py": root,
        "nbgrader_config.py": root,
        "pyproject.toml": root,
        ".gitignore": root,
        f"{FIRST}.py": root / "assignments" / FIRST,
        f"{EXERCISE}.py": checks_folder(root, FIRST),
        "hints.toml": hints_file(root, FIRST).parent,
        "reference.py": reference_file(root, FIRST).parent,
        "quiz.toml": quiz_file(root, FIRST).parent,
        "hidden.py": group,
        "mistakes.py": group,
        "variants.py": group,
        f"test_{EXERCISE}_reference.py": group.parent / "tests",
    }
    own = {
        "course_id": json.dumps(root.name.replace(" ", "-")),
        "torch": library == "torch",
    }
    files = {
        folder / name: filled(f"course/{name.lstrip('.')}", **own)
        for name, folder in places.items()
    }
    files |= packages(root, FIRST)
    files[group / "__init__.py"] = f'"""How answers to {EXERCISE} are judged."""\n'
    return write(files)
