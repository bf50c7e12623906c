"""Where the parts of an assignment stand under a course's root."""

from pathlib import Path

import pytest

from autograder.course import CourseError
from autograder.course.layout import (
    grader_files,
    module_of,
    reference_file,
    solutions_folder,
)

NAME = "05-fused-attention"


def test_an_assignments_folders_of_python_are_called_as_it_is() -> None:
    assert module_of(NAME) == "fused_attention"


def test_a_solution_stands_in_a_module_of_its_own_or_in_its_assignments(tmp_path: Path) -> None:
    folder = tmp_path / "solutions" / "fused_attention"
    assert reference_file(tmp_path, NAME) == folder / "reference.py"
    assert reference_file(tmp_path, NAME, "kernel") == folder / "reference.py"
    folder.mkdir(parents=True)
    (folder / "kernel.py").touch()
    assert reference_file(tmp_path, NAME, "kernel") == folder / "kernel.py"


def test_known_answers_and_the_courses_own_tests_are_no_graders(tmp_path: Path) -> None:
    assert grader_files(tmp_path, NAME) == []
    for name in (
        *("__init__.py", "shapes.py", "tiling/__init__.py", "tiling/hidden.py", "tiling/probe.py"),
        *("tiling/hidden_blocks.py", "tiling/mistakes.py", "tiling/variants_blocks.py"),
        *("tests/test_tiling.py", "equivalents.toml"),
    ):
        path = tmp_path / "graders" / "fused_attention" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert [path.name for path in grader_files(tmp_path, NAME)] == [
        *("shapes.py", "hidden.py", "hidden_blocks.py", "probe.py"),
    ]


def test_a_course_without_solutions_is_told_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="solutions is missing"):
        solutions_folder(tmp_path)
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "__init__.py").touch()
    assert solutions_folder(tmp_path) == tmp_path / "solutions"
