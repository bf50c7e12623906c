"""What stands beside a released notebook: visible checks, requirements, a word to assistants.

A preprocessor puts them there, so that formgrader's Generate button and `nbgrader
generate_assignment` give the same folder as `autograder release`.
"""

import tomllib
from collections.abc import Collection
from importlib import metadata
from pathlib import Path

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_solution
from packaging.requirements import Requirement

import autograder
from autograder.build.quiz_cells import PUBLIC_QUESTIONS, as_json
from autograder.build.shipping import files_to_ship
from autograder.course import Assignment

KIT = Path(autograder.__file__).parent
DISTRIBUTION = "attention-autograder"
STUDENTS_NEED = ("torch", "numpy", "matplotlib", "jaxtyping", "safetensors", "pytest")


class Companions(NbGraderPreprocessor):
    """Adds the files that a released notebook needs; nbconvert writes them beside it."""

    def preprocess(
        self, nb: NotebookNode, resources: ResourcesDict
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Add the files; the notebook stays as it is, but for the questions that it carries."""
        assignment = Assignment(resources["nbgrader"]["assignment"], ())
        exercises = [cell.metadata.nbgrader["grade_id"] for cell in nb.cells if is_solution(cell)]
        files = {
            "requirements.txt": requirements().encode(),
            "AGENTS.md": word_to_assistants(assignment.name, exercises).encode(),
        }
        checks = visible_checks(assignment.module, exercises)
        files |= {f"checks/{path}": data for path, data in checks.items()}
        public = nb.metadata.pop(PUBLIC_QUESTIONS, None)
        if public is not None:
            files["checks/questions.json"] = as_json(public).encode()
        resources.setdefault("outputs", {}).update(files)
        return nb, resources


def visible_checks(module: str, exercises: Collection[str]) -> dict[str, bytes]:
    """The package `checks` for one assignment, as content by path from the package's folder."""
    folder = KIT / "checks"
    shipped = files_to_ship(folder, module, exercises)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in shipped}


def requirements() -> str:
    """`requirements.txt`: what a student installs, with this project's own bounds."""
    wanted = {requirement.name: requirement for requirement in map(Requirement, _dependencies())}
    lines = []
    for name in STUDENTS_NEED:
        bounds = sorted(map(str, wanted[name].specifier), reverse=True)  # `>=` before `<`
        lines.append(f"{name}{','.join(bounds)}\n")
    return "".join(lines)


def _dependencies() -> list[str]:
    """This project's dependencies; a checkout's own file is newer than what was installed."""
    project = KIT.parent / "pyproject.toml"
    if project.is_file():
        found: list[str] = tomllib.loads(project.read_text(encoding="utf-8"))["project"][
            "dependencies"
        ]
        return found
    return metadata.requires(DISTRIBUTION) or []


def word_to_assistants(assignment: str, exercises: list[str]) -> str:
    """`AGENTS.md`: asks coding assistants to tutor; it stands in tutor.md."""
    text = (Path(__file__).parent / "tutor.md").read_text(encoding="utf-8")
    names = ", ".join(f"`{name}`" for name in exercises)
    return text.replace("{assignment}", assignment).replace("{exercises}", names)
