"""The record beside a graded notebook says how it came to be, and of no other notebook."""

import json
import shutil
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from autograder.course import Course, load_course
from autograder.gradebook.autograded import as_text
from autograder.gradebook.records import Record, read_record, record_file, write_record
from autograder.notebooks.submitted import Submitted

ROOT = Path(__file__).parents[2]
RECORD = Record({"f": "ab12"}, "cd34", {"f": 0.5, "why": None}, ("an odd cell",))
NOTEBOOK = '{\n "cells": [],\n "metadata": {"autograder": {"verdicts": {}}}\n}\n'


@pytest.fixture
def course(tmp_path: Path) -> Course:
    for name in ("course_config.py", "nbgrader_config.py"):
        shutil.copy(ROOT / name, tmp_path)
    return load_course(tmp_path)


@pytest.fixture
def one(course: Course) -> Submitted:
    return Submitted("ada", "week", course.folder("submitted") / "ada" / "week")


def place(course: Course, text: str) -> None:
    folder = course.folder("autograded") / "ada" / "week"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "week.ipynb").write_text(text, encoding="utf-8")


def test_a_record_is_read_back(course: Course, one: Submitted) -> None:
    write_record(course, "week", "ada", RECORD, NOTEBOOK)
    assert read_record(course, one) is None  # its notebook is not there yet
    place(course, NOTEBOOK)
    assert read_record(course, one) == RECORD
    assert [path.name for path in (course.folder("autograded") / "ada").glob("*.json")] == [
        "week.json"
    ]


def test_a_record_says_nothing_of_another_notebook(course: Course, one: Submitted) -> None:
    write_record(course, "week", "ada", RECORD, NOTEBOOK)
    place(course, NOTEBOOK[:-9])
    assert read_record(course, one) is None


def test_a_notebook_is_written_as_nbformat_reads_it() -> None:
    """One cell a line, and what nbformat keeps out of files is not in it."""
    answer = new_code_cell("def f():\n    return '\u2713'\n", metadata={"trusted": True})
    answer.outputs = [new_output("stream", text="one\ntwo\n")]
    notebook = new_notebook(cells=[new_markdown_cell("# é\n"), answer], metadata={"signature": "s"})
    theirs = json.loads(nbformat.writes(notebook))
    text = as_text(notebook)
    assert json.loads(text) == theirs
    assert "trusted" not in text
    assert "signature" not in text
    assert sum(line.startswith('  {"cell_type"') for line in text.splitlines()) == 2


@pytest.mark.parametrize("text", ["", "[]", "3", '{"notebook": ""}', '{"verdicts": {}}', "{"])
def test_a_record_that_is_not_whole_is_none(course: Course, one: Submitted, text: str) -> None:
    place(course, NOTEBOOK)
    record_file(course, "week", "ada").write_text(text, encoding="utf-8")
    assert read_record(course, one) is None


def test_a_notebook_of_a_former_version_has_no_record(course: Course, one: Submitted) -> None:
    place(course, NOTEBOOK)
    assert read_record(course, one) is None
