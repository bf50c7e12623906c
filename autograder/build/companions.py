"""What stands beside a released notebook: visible checks, requirements, a word to assistants.

A preprocessor puts them there, so that formgrader's Generate button and `nbgrader
generate_assignment` give the same folder as `autograder release`.
"""

import json
from pathlib import Path
from typing import Any

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution

from autograder.build.quiz_cells import PUBLIC_QUESTIONS, as_json
from autograder.build.shipping import files_to_ship
from autograder.course import Assignment, CourseError
from autograder.course.course import CONFIG
from autograder.course.packages import Packages
from autograder.course.questions import QUESTION_NAME
from autograder.course.settings import make
from autograder.course.words import CourseWords
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.visible import modules


class Companions(NbGraderPreprocessor):
    """Adds the files that a released notebook needs; nbconvert writes them beside it."""

    def preprocess(
        self, nb: NotebookNode, resources: ResourcesDict
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Add the files; the notebook stays as it is, but for the questions that it carries."""
        assignment = Assignment(resources["nbgrader"]["assignment"], ())
        exercises = [cell.metadata.nbgrader["grade_id"] for cell in nb.cells if is_solution(cell)]
        words = make(CourseWords, self.config, CONFIG)
        packages = make(Packages, self.config, CONFIG)
        files = {
            "requirements.txt": requirements(packages).encode(),
            "AGENTS.md": word_to_assistants(words, assignment.name, exercises).encode(),
        }
        root = Path(self.config.CourseDirectory.root)
        checks = files_to_ship(root, assignment.name, packages.has_torch)
        files |= {f"checks/{name}": path.read_bytes() for name, path in checks.items()}
        told = json.dumps(grading_of(nb, assignment.name, packages), indent=1)
        files["checks/grading.json"] = f"{told}\n".encode()
        public = nb.metadata.pop(PUBLIC_QUESTIONS, None)
        if public is not None:
            files["checks/questions.json"] = as_json(public).encode()
        resources.setdefault("outputs", {}).update(files)
        return nb, resources


def grading_of(nb: NotebookNode, assignment: str, packages: Packages) -> dict[str, Any]:
    """`grading.json`: what `checks` know of where and what is graded.

    Raises:
        CourseError: a package of the course is not installed, so that nobody knows what it has.
    """
    named = packages.names()
    try:
        found = set(modules(named["required"], packages.python))
    except SandboxUnavailable as error:
        raise CourseError(f"The release says what can be imported. {error}") from error
    return {
        "assignment": assignment,
        "cells": {
            cell.metadata.nbgrader["grade_id"]: _kind(cell) for cell in nb.cells if _is_ours(cell)
        },
        "python": packages.python,
        "packages": [*named["required"], *named["optional"]],
        "modules": sorted({*found, *named["optional"], "IPython"}),
    }


def _is_ours(cell: NotebookNode) -> bool:
    return is_solution(cell) or is_grade(cell)


def _kind(cell: NotebookNode) -> str:
    if not is_solution(cell):
        return "test"
    if is_grade(cell):
        return "written"
    return "quiz" if QUESTION_NAME.fullmatch(cell.metadata.nbgrader["grade_id"]) else "code"


def requirements(packages: Packages) -> str:
    """`requirements.txt`: what a student installs."""
    return "".join(f"{one}\n" for one in packages.required)


def word_to_assistants(words: CourseWords, assignment: str, exercises: list[str]) -> str:
    """`AGENTS.md`: asks coding assistants to tutor; it stands in tutor.md."""
    text = words.fill((Path(__file__).parent / "tutor.md").read_text(encoding="utf-8"))
    names = ", ".join(f"`{name}`" for name in exercises)
    return text.replace("{assignment}", assignment).replace("{exercises}", names)
