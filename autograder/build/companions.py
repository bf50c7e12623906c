"""What stands beside a released notebook: visible checks, requirements, a word to assistants.

A preprocessor puts them there, so that formgrader's Generate button and `nbgrader
generate_assignment` give the same folder as `autograder release`.
"""

import tomllib
from importlib import metadata
from pathlib import Path

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_solution
from packaging.requirements import Requirement

import autograder
from autograder.build.released_files import files_under
from autograder.course import Assignment

KIT = Path(autograder.__file__).parent
DISTRIBUTION = "attention-autograder"
STUDENTS_NEED = ("torch", "numpy", "matplotlib", "jaxtyping", "pytest")


class Companions(NbGraderPreprocessor):
    """Adds the files that a released notebook needs; nbconvert writes them beside it."""

    def preprocess(
        self, nb: NotebookNode, resources: ResourcesDict
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Add the files and leave the notebook as it is."""
        assignment = Assignment(resources["nbgrader"]["assignment"], ())
        exercises = [cell.metadata.nbgrader["grade_id"] for cell in nb.cells if is_solution(cell)]
        files = {
            "requirements.txt": requirements().encode(),
            "AGENTS.md": word_to_assistants(assignment.name, exercises).encode(),
        } | {f"checks/{path}": data for path, data in visible_checks(assignment.module).items()}
        resources.setdefault("outputs", {}).update(files)
        return nb, resources


def visible_checks(module: str) -> dict[str, bytes]:
    """The package `checks` for one assignment: the shared files and that assignment's module.

    Returns:
        content by path, from the package's folder.
    """
    folder = KIT / "checks"
    # A module that hidden graders exist for belongs to an assignment; any other file is shared.
    assignments = {path.name for path in (KIT / "hidden").glob("*.py")} - {"__init__.py"}
    kept: dict[str, bytes] = {}
    for path in files_under(folder):
        relative = path.relative_to(folder).as_posix()
        if relative == f"{module}.py" or relative not in assignments:
            kept[relative] = path.read_bytes()
    return kept


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
