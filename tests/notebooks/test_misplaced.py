"""What lies in no assignment's folder is found, and what is meant is told where it can be."""

import os
from pathlib import Path

import pytest

from autograder.notebooks.misplaced import find_misplaced

NAMES = ["01-first-steps", "02-line-fitting"]


def found(root: Path, *students: str) -> list[tuple[str, str]]:
    return [(one.path, one.near) for one in find_misplaced(root, NAMES, students)]


def lay(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("{}")


@pytest.mark.parametrize(
    ("path", "told", "near"),
    [
        ("ada/Homework1/02-line-fitting.ipynb", "ada/Homework1", "02-line-fitting"),
        ("ada/Homework1/mine.ipynb", "ada/Homework1", ""),
        ("ada/02_Line Fitting/x.ipynb", "ada/02_Line Fitting", "02-line-fitting"),
        ("ada/hw-line-fitting/x.ipynb", "ada/hw-line-fitting", "02-line-fitting"),
        ("ada/01-first-step/x.ipynb", "ada/01-first-step", "01-first-steps"),
        ("ada/01-first-steps.ipynb", "ada/01-first-steps.ipynb", "01-first-steps"),
        ("01-first-steps.ipynb", "01-first-steps.ipynb", "01-first-steps"),
        ("01-first-steps/ada/x.ipynb", "01-first-steps/ada", "01-first-steps"),
    ],
)
def test_it_is_named_with_what_is_meant(tmp_path: Path, path: str, told: str, near: str) -> None:
    lay(tmp_path, path)
    assert found(tmp_path) == [(told, near)]


def test_what_is_in_its_place_or_nobodys_work_is_not_named(tmp_path: Path) -> None:
    lay(
        tmp_path,
        "ada/01-first-steps/anything.ipynb",
        "ada/02-line-fitting",
        "ada/.ipynb_checkpoints/x.ipynb",
        "ada/checks/x.py",
        "ada/notes.txt",
        "readme.md",
        ".hidden/x.ipynb",
    )
    assert found(tmp_path) == []
    assert found(tmp_path / "none") == []


def test_links_are_not_followed(tmp_path: Path) -> None:
    lay(tmp_path, "elsewhere/02-line-fitting.ipynb", "submitted/ada/01-first-steps/x.ipynb")
    os.symlink(tmp_path / "elsewhere", tmp_path / "submitted" / "ben")
    os.symlink(tmp_path / "elsewhere", tmp_path / "submitted" / "ada" / "work")
    assert found(tmp_path / "submitted") == [("ada/work", "")]


def test_only_those_asked_for_are_looked_at(tmp_path: Path) -> None:
    lay(tmp_path, "ada/x/y.ipynb", "ben/x/y.ipynb", "z.ipynb")
    assert found(tmp_path, "ben") == [("ben/x", "")]


def test_a_name_that_is_no_text_is_told_as_text(tmp_path: Path) -> None:
    os.makedirs(os.fsencode(tmp_path) + b"/ada/h\xffw")
    assert found(tmp_path) == [("ada/h?w", "")]
