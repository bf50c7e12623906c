"""The course's own released notebooks, as a student meets them: untouched, and filled in.

That each of them runs to its end is shown by `autograder validate`.
"""

import inspect
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from autograder.build.leaks import find_secrets
from autograder.build.quiz_cells import signed
from autograder.build.release import build_release, drift
from autograder.build.repairs import broken_version
from autograder.build.source_notebook import reference_notebook
from autograder.course import Course, load_course

pytestmark = pytest.mark.slow

REPOSITORY = Path(__file__).resolve().parents[2]
NAMES = sorted(path.parent.name for path in REPOSITORY.glob("assignments/*/[0-9]*.py"))
each_assignment = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(scope="module")
def course(make_course: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A copy of the course with every release built."""
    course = load_course(make_course(tmp_path_factory.mktemp("real") / "course"))
    for name in course.assignments:
        build_release(course, name)
    return course


def released(course: Course, name: str) -> tuple[Path, NotebookNode]:
    folder = course.folder("release") / name
    return folder, nbformat.read(folder / f"{name}.ipynb", as_version=4)


def filled(course: Course, name: str) -> tuple[Path, NotebookNode]:
    """The released notebook with the reference in every cell that a student writes."""
    folder, notebook = released(course, name)
    reference = reference_notebook(course, course.assignment(name), "ada")
    written = {cell.id: cell.source for cell in reference.cells}
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = written[cell.id]
        elif cell.cell_type == "code":
            cell.source = signed(cell.source, "ada")
    return folder, notebook


def validate(folder: Path, notebook: NotebookNode) -> str:
    """What `nbgrader validate` says, in a folder that holds only what a student has."""
    nbformat.write(notebook, folder / "mine.ipynb")
    command = [sys.executable, "-m", "nbgrader", "validate", "mine.ipynb"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def test_no_release_holds_a_secret(course):
    assert find_secrets(course.folder("release"), course) == []


@each_assignment
def test_every_stub_raises_and_names_its_exercise(course, name, monkeypatch):
    folder, notebook = released(course, name)
    monkeypatch.syspath_prepend(folder)  # 06 imports what stands beside its notebook
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    written = [cell for cell in code if cell.metadata.get("nbgrader", {}).get("solution")]
    names: dict[str, object] = {}
    for cell in [code[0], *written]:  # the first cell holds the imports
        exec(cell.source, names)
    for exercise in course.assignment(name).exercises:
        if exercise.kind == "quiz":
            assert names[exercise.name] is ...
        if exercise.kind != "code" or broken_version(course, name, exercise.name):
            continue
        target = names[exercise.name]
        parameters = inspect.signature(target).parameters.values()
        needed = [parameter for parameter in parameters if parameter.default is parameter.empty]
        with pytest.raises(NotImplementedError, match=f"^{exercise.name} is not written yet"):
            target(*needed)


def test_nbgraders_own_command_makes_the_same_of_the_real_sources(course, tmp_path):
    name = "06-seeing-attention"  # which has modules and data beside its notebook
    folder = course.folder("release") / name
    shutil.copytree(folder, tmp_path / name)
    generate = [sys.executable, "-m", "nbgrader", "generate_assignment", name, "--force"]
    subprocess.run(generate, cwd=course.root, check=True, capture_output=True)
    assert drift(folder, tmp_path / name) == []
    assert (folder / "checks" / "hints").is_dir()
    assert not (folder / "hints.toml").exists()


def test_nbgrader_validate_passes_on_the_reference_and_fails_on_an_untouched_notebook(course):
    name = "03-causal-masking"
    assert "Success! Your notebook passes all the tests." in validate(*filled(course, name))
    failed = len(course.assignment(name).exercises)
    assert f"VALIDATION FAILED ON {failed} CELL(S)" in validate(*released(course, name))
