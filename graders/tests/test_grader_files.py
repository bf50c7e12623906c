"""Which files hold an assignment's graders, and which visible checks belong to it."""

from collections import Counter
from pathlib import Path

import pytest

from autograder.course import load_course
from autograder.course.layout import grader_files

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", load_course(ROOT).sources)
def test_every_assignment_has_graders_and_known_answers_are_none(name):
    names = {file.stem for file in grader_files(ROOT, name)}
    assert "hidden" in names
    assert not [one for one in names if one.startswith(("mistakes", "variants", "test_"))]


def test_an_assignment_without_graders_has_no_files():
    assert grader_files(ROOT, "99-no-such-assignment") == []


def test_no_visible_check_could_belong_to_two_assignments():
    shown = Counter(path.name for path in ROOT.glob("assignments/*/checks/*.py"))
    assert [name for name, count in shown.items() if count > 1] == []
