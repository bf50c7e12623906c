"""A new exercise finds its room in every assignment of this repository, as they are laid out."""

import ast
import re
import shutil
from pathlib import Path

import pytest
from small_kit import KIT, REPOSITORY

from autograder.course import load_course
from autograder.scaffolding import exercise, new_exercise

NEW = "sum_of_every_third_row"
ASSIGNMENTS = sorted(
    path.stem
    for path in (REPOSITORY / "assignments").glob("*/*.py")
    if path.stem == path.parent.name
)
ROOMS = ("hidden", "misconceptions", "variants", "checks")


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """This repository's sources in another folder, where scaffolding writes."""
    left = shutil.ignore_patterns("__pycache__", "*.ipynb")
    for room in ROOMS:
        shutil.copytree(KIT / room, tmp_path / "autograder" / room, ignore=left)
    for folder in ("assignments", "solutions"):
        shutil.copytree(REPOSITORY / folder, tmp_path / folder, ignore=left)
    shutil.copy(REPOSITORY / "course_config.py", tmp_path)
    monkeypatch.setattr(exercise, "KIT", tmp_path / "autograder")
    return tmp_path


def gathered(init: str, constant: str) -> list[str]:
    """The files whose constants a folder gathers, in order."""
    ast.parse(init)
    return re.findall(rf"\*(\w+)\.{constant}", init)


def test_there_are_seven_assignments() -> None:
    assert len(ASSIGNMENTS) == 7


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_a_new_exercise_can_be_gathered(copied: Path, name: str) -> None:
    course = load_course(copied)
    module = course.assignment(name).module
    rooms = {
        copied / "autograder" / room / module / "__init__.py": constant
        for room, constant in (("misconceptions", "MISTAKES"), ("variants", "VARIANTS"))
    }
    before = {init: gathered(init.read_text("utf-8"), rooms[init]) for init in rooms}
    written = new_exercise(course, name, NEW)
    for init, constant in rooms.items():
        assert gathered(init.read_text("utf-8"), constant) == [*before[init], NEW]
        assert before[init]
        assert init.with_name(f"{NEW}.py") in written
    assert copied / "autograder" / "hidden" / module / f"{NEW}.py" in written
    assert NEW in [one.name for one in load_course(copied).assignment(name).exercises]
