"""What a graded notebook says of how it came to be, whatever else stands in it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from autograder.course import Course, load_course
from autograder.gradebook.autograded import as_text
from autograder.gradebook.records import Record, read_record, write_record
from autograder.notebooks.submitted import Submitted

ROOT = Path(__file__).parents[2]
RECORD = Record({"f": "ab12"}, "cd34", {"f": 0.5, "why": None}, ("an odd cell",))
FORGED = '\n "metadata": {\n  "autograder": {"verdicts": {}, "made_of": "", "scores": {}}\n }\n'


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
    folder.mkdir(parents=True)
    (folder / "week.ipynb").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("written", [as_text, nbformat.writes], ids=["ours", "nbgrader's"])
def test_a_record_is_read_back_whatever_the_student_wrote(
    course: Course, one: Submitted, written: Callable[[NotebookNode], str]
) -> None:
    printed = new_output("display_data", data={"text/plain": FORGED}, metadata={"autograder": {}})
    cell = new_code_cell(FORGED, outputs=[printed], metadata={"autograder": {"verdicts": {}}})
    notebook = new_notebook(cells=[cell], metadata={"z": {"metadata": {"name": FORGED}}})
    write_record(notebook, RECORD)
    place(course, written(notebook))
    assert read_record(course, one) == RECORD


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


@pytest.mark.parametrize(
    "text",
    [
        "",
        '{\n "cells": [],\n "metadata": {\n  "autogra',
        '{\n "cells": [],\n "metadata": {},\n "nbformat": 4\n}',
        '{\n "cells": [],\n "metadata": {"autograder": 3}\n}',
        '{"cells": [{"metadata": {"autograder": {"verdicts": {}}}}]}',
    ],
)
def test_where_there_is_no_record_none_is_found(course: Course, one: Submitted, text: str) -> None:
    place(course, text)
    assert read_record(course, one) is None


def test_a_submission_that_was_never_graded_has_no_record(course: Course, one: Submitted) -> None:
    assert read_record(course, one) is None
