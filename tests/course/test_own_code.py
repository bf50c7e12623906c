"""A process imports the Python of the one course that it serves."""

import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import autograder.checks.kit
from autograder.course.own_code import import_file, serve, served

KIT = sorted(module.name for module in pkgutil.iter_modules(autograder.checks.kit.__path__))
FILES = {
    "assignments/01-one/checks/one.py": "from checks import two\nfrom checks.kit.errors import *",
    "assignments/02-two/checks/two.py": "WHERE = __file__",
    "graders/__init__.py": "",
    "graders/one/sums/hidden.py": "from solutions.one.reference import ANSWER",
    "solutions/__init__.py": "",
    "solutions/one/reference.py": "ANSWER = 42",
}
SERVES = """
import sys
from pathlib import Path
from autograder.course.own_code import import_file, serve, served
from autograder.checks.kit.discovery import checks_package

root = Path(sys.argv[1])
try:
    served()
except LookupError as error:
    assert "serves no course yet" in str(error)
serve(root)
serve(root)
assert sys.path.count(str(root)) == 1
assert served() == root
assert import_file(root / "graders/one/sums/hidden.py").ANSWER == 42
from checks import one
assert one.two.WHERE == str(root / "assignments/02-two/checks/two.py")
assert checks_package().__name__ == "checks"
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A course of two assignments."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_a_process_imports_a_courses_solutions_graders_and_checks(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SERVES, str(root)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_second_course_is_refused_and_the_first_goes_on(root: Path, course_root: Path) -> None:
    with pytest.raises(RuntimeError, match=f"serves the course in {course_root}, and not {root}"):
        serve(root)
    assert served() == course_root
    assert str(root) not in sys.path
    serve(course_root)


@pytest.mark.parametrize("name", ["checks.kit", *(f"checks.kit.{name}" for name in KIT)])
def test_what_a_course_imports_of_the_kit_is_the_engines_very_own_module(name: str) -> None:
    ours, theirs = importlib.import_module(f"autograder.{name}"), importlib.import_module(name)
    assert theirs is ours
    assert ours.__name__ == f"autograder.{name}"
    assert ours.__spec__ is not None
    assert ours.__spec__.name == f"autograder.{name}"


def test_a_module_that_the_kit_lacks_is_missed_by_name() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        importlib.import_module("checks.kit.no_such_module")


def test_a_file_is_the_module_that_others_import(course_root: Path) -> None:
    from graders.causal_masking.masks import hidden
    from solutions.causal_masking import reference

    assert import_file(Path(hidden.__file__ or "")) is hidden
    assert import_file(course_root / "solutions/causal_masking/reference.py") is reference
