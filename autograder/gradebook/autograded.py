"""`autograded/<student>/<assignment>`: made aside, and put in place whole, with its record.

It holds what `nbgrader autograde` leaves there: the graded notebook, the tame ones of the files
that were handed in, and over them the files that the assignment brings along.
"""

import json
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbformat.v4.rwbase import split_lines, strip_transient
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import find_all_files

from autograder.course import Course
from autograder.course.data_files import in_the_way
from autograder.gradebook.copying import tame_files
from autograder.gradebook.records import Record, record_file, record_text
from autograder.gradebook.rows import Released
from autograder.notebooks.sanitise import grade_id
from autograder.notebooks.submitted import Submitted

PERMISSIONS = 0o444  # nbgrader's own, where a course is not shared by a group


def restore(notebook: NotebookNode, released: Released) -> None:
    """Give cells what the gradebook knows of them, as nbgrader's `OverwriteCells` does, in place.

    Args:
        notebook: sanitised.
        released: the assignment in the gradebook.
    """
    if released.kernelspec is not None:
        notebook.metadata["kernelspec"] = NotebookNode(released.kernelspec)
    for cell in notebook.cells:
        known = released.sources.get(grade_id(cell) or "")
        if known is None:
            continue
        checksum, locked_text = known
        cell.metadata["nbgrader"]["checksum"] = checksum
        if locked_text is not None:
            cell.source = locked_text


def as_text(notebook: NotebookNode) -> str:
    """What nbformat writes, but for one cell a line: json's encoder in C does not indent.

    Args:
        notebook: in order; it is changed into the form that files have.
    """
    strip_transient(split_lines(notebook))
    cells = ",\n".join(f"  {_json(cell)}" for cell in notebook.cells)
    rest = {name: value for name, value in notebook.items() if name != "cells"}
    last = ",\n".join(f' "{name}": {_json(rest[name])}' for name in sorted(rest))
    return f'{{\n "cells": [\n{cells}\n ],\n{last}\n}}\n'


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def drop_page_on_ungraded(course: Course, one: Submitted) -> None:
    """Remove the page that says why a submission is not graded, once it is going to be."""
    if not (course.folder("autograded") / one.student / one.assignment).exists():
        page = course.folder("feedback") / one.student / one.assignment
        shutil.rmtree(page, ignore_errors=True)


class Folders:
    """Makes the folders of one assignment's graded submissions.

    Args:
        course: the course.
        assignment: the assignment's name.
    """

    def __init__(self, course: Course, assignment: str) -> None:
        self._course = course
        directory = CourseDirectory(config=course.config)
        self._ignored = [*directory.ignore, "*.ipynb"]
        self._autograded = course.folder("autograded")
        source = course.folder("source") / assignment
        self._brought = [
            (Path(name), os.path.relpath(name, source))
            for name in find_all_files(str(source), self._ignored)
        ]

    def stage(self, one: Submitted, notebook: NotebookNode, record: Record) -> None:
        """Make folder and record beside where they belong, in the place of what is unfinished.

        Raises:
            OSError: there is no room, or it cannot be written.
        """
        staged = self._staged(one)
        shutil.rmtree(staged, ignore_errors=True)
        staged.mkdir(parents=True)
        handed_in = tame_files(one.folder, self._ignored)
        files = [(Path(path), os.path.relpath(path, one.folder)) for path in handed_in]
        brought = [name for _, name in self._brought]
        kept = [(path, name) for path, name in files if not in_the_way(name, brought)]
        for path, name in [*kept, *self._brought]:
            copy = staged / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
            copy.chmod(PERMISSIONS)
        graded, text = staged / one.notebook.name, as_text(notebook)
        graded.write_text(text, encoding="utf-8")
        graded.chmod(PERMISSIONS)
        self._staged_record(one).write_text(record_text(record, text), encoding="utf-8")

    def put_in_place(self, one: Submitted) -> None:
        """Let the staged folder replace what was there, and then its record."""
        place = self._autograded / one.student / one.assignment
        drop_page_on_ungraded(self._course, one)
        shutil.rmtree(place, ignore_errors=True)
        self._staged(one).rename(place)
        self._staged_record(one).replace(record_file(self._course, one.assignment, one.student))

    def drop(self, one: Submitted) -> None:
        """Remove what is staged, and the student's folder where nothing else is in it."""
        shutil.rmtree(self._staged(one), ignore_errors=True)
        with suppress(OSError):
            self._staged_record(one).unlink()
        with suppress(OSError):
            (self._autograded / one.student).rmdir()

    def _staged(self, one: Submitted) -> Path:
        return self._autograded / one.student / f".{one.assignment}"

    def _staged_record(self, one: Submitted) -> Path:
        return self._autograded / one.student / f".{one.assignment}.json"
