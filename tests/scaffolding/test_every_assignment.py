"""A new exercise finds its place in every assignment of this repository, as they are laid out."""

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.course import load_course
from autograder.course.layout import grader_files, graders_folder
from autograder.scaffolding import new_exercise

NEW = "sum_of_every_third_row"


@pytest.fixture(scope="module")
def copied(make_course: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_course(tmp_path_factory.mktemp("copied"))


def test_each_assignment_takes_another_exercise(copied: Path) -> None:
    names = list(load_course(copied).sources)
    assert names
    for number, name in enumerate(names):
        new = f"{NEW}_{number}"
        before = [one.name for one in load_course(copied).assignment(name).exercises]
        written = new_exercise(load_course(copied), name, new, signature="(x, third=3)")
        for path in written:
            if path.suffix == ".py":
                ast.parse(path.read_text(encoding="utf-8"))
        after = [one.name for one in load_course(copied).assignment(name).exercises]
        assert [one for one in after if one != new] == before
        last = max(place for place, one in enumerate(before) if f"def {one}(" in _code(copied))
        assert after.index(new) > last
        group = graders_folder(copied, name) / new
        assert group / "hidden.py" in grader_files(copied, name)


def _code(root: Path) -> str:
    return "\n".join(path.read_text("utf-8") for path in root.glob("solutions/*/reference.py"))
