"""The bank says nothing twice: what several exercises tell their students is said by a family."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from autograder.bank import Family, Mistake, all_mistakes
from autograder.course.own_code import import_file

ROOT = Path(__file__).parents[2]
FAMILIES = sorted((ROOT / "graders" / "families").glob("*.py"))
FILES = [*FAMILIES, *sorted((ROOT / "graders").glob("*/*/mistakes*.py"))]
BLANK = re.compile(r"\{\w*\}")


@pytest.fixture(scope="module")
def bank(course_root) -> tuple[Mistake, ...]:
    """Every known mistake of the course."""
    return all_mistakes()


def _families() -> dict[str, Family]:
    """Every family by the file and the name that it has there."""
    return {
        f"{path.relative_to(ROOT)}: {name}": value
        for path in FILES
        for name, value in vars(import_file(path)).items()
        if isinstance(value, Family)
    }


def test_no_words_are_written_down_twice(bank):
    written = Counter(
        node.value
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    told = {words for entry in bank for words in (entry.diagnosis, entry.hint)}
    told |= {words for one in _families().values() for words in (one.diagnosis, one.hint)}
    assert sorted(words for words in told if written[words] > 1) == []


def test_every_family_has_two_mistakes_at_least(bank):
    used = Counter(id(entry.family) for entry in bank)
    assert [name for name, family in _families().items() if used[id(family)] < 2] == []


def test_no_blank_is_left_open_in_what_students_read(bank):
    for entry in bank:
        assert not BLANK.search(entry.diagnosis + entry.hint), entry
