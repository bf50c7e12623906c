"""Which files hold an assignment's graders, and which visible checks belong to it."""

from collections import Counter
from pathlib import Path

import pytest

from autograder import checks
from autograder.course import load_course
from autograder.hidden import HERE, grader_files, owners

ASSIGNMENTS = load_course(HERE.parents[1]).assignments.values()


@pytest.mark.parametrize("assignment", ASSIGNMENTS, ids=lambda one: one.name)
def test_every_assignment_has_graders_in_a_file_or_in_a_folder(assignment):
    files = grader_files(assignment.module)
    assert files
    assert all(assignment.module in (file.stem, file.parent.name) for file in files)
    assert not any(file.name == "__init__.py" for file in files)


def test_an_assignment_without_graders_has_no_files():
    assert grader_files("no_such_assignment") == []


def test_a_file_in_a_folder_belongs_to_the_folders_assignment():
    assert owners()["tiling"] == owners()["fused_attention"] == "fused_attention"


def test_no_visible_check_could_belong_to_two_assignments():
    names = Counter(path.stem for path in HERE.glob("*/*.py") if path.name != "__init__.py")
    shown = {path.stem for path in Path(checks.__file__).parent.glob("*.py")} - {"__init__"}
    assert [name for name, count in names.items() if count > 1 and name in shown] == []
