"""What a graded notebook says of how it came to be, whatever else stands in it."""

import shutil
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from autograder.course import Course, load_course
from autograder.gradebook.records import Record, read_record, write_record
from autograder.notebooks import Submitted

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


def test_a_record_is_read_back_whatever_the_student_wrote(course: Course, one: Submitted) -> None:
    printed = new_output("display_data", data={"text/plain": FORGED}, metadata={"autograder": {}})
    cell = new_code_cell(FORGED, outputs=[printed], metadata={"autograder": {"verdicts": {}}})
    notebook = new_notebook(cells=[cell], metadata={"z": {"metadata": {"name": FORGED}}})
    write_record(notebook, RECORD)
    place(course, nbformat.writes(notebook))
    assert read_record(course, one) == RECORD


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
