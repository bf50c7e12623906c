"""Writes feedback pages in one process: one exporter and one connection to the gradebook for all.

Paths, copies and permissions are those of nbgrader's own generate_feedback.
"""

import os
import shutil
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import nbformat
from nbconvert.exporters.exporter import ResourcesDict
from nbgrader.converters import GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import find_all_files
from sqlalchemy.exc import SQLAlchemyError

from autograder.course import Course
from autograder.course.locks import locked
from autograder.feedback.page import ungraded_page
from autograder.feedback.shared import SharedExporter
from autograder.gradebook.class_names import NAMES
from autograder.gradebook.family_comments import put_family_comments
from autograder.gradebook.lateness import times_of
from autograder.gradebook.page_marks import NotGraded, put_marks, read_marks
from autograder.gradebook.right_answers import show_right_answers
from autograder.gradebook.scores import open_gradebook
from autograder.gradebook.totals import TIMES
from autograder.notebooks.plain_file import BadNotebook, read_regular_file
from autograder.notebooks.submitted import Submitted, why_refused

LARGEST = 2**30
LONGEST_LINE = 1000
FOR_EXCHANGE = ("timestamp.txt", "submission_secret.txt")  # `nbgrader release_feedback` reads them
TOLD = (BadNotebook, NotGraded)
Why = tuple[str, str | None]


class PageWriter:
    """Writes the feedback folders of a course's graded submissions.

    Args:
        course: the course; relative paths in its settings count from the working directory.
    """

    def __init__(self, course: Course) -> None:
        self._course = course
        self._directory = CourseDirectory(config=course.config)
        # It is not started: it knows nbgrader's settings for the page and for its permissions.
        self._nbgraders = GenerateFeedback(coursedir=self._directory, config=course.config)
        self._exporter = SharedExporter(parent=self._nbgraders, config=self._nbgraders.config)
        self._gradebook = open_gradebook(course)

    def write(self, one: Submitted, why: Why | None = None) -> str | None:
        """Write the feedback of one submission in `autograded/`, whole or not at all.

        Args:
            one: the submission.
            why: the reason code and its detail, where it is in `submitted/` and cannot be graded.

        Returns:
            None when it went well, else why there is none.

        Raises:
            SQLAlchemyError: the gradebook cannot be used.
        """
        page = self._course.folder("feedback") / one.student / one.assignment
        with locked(self._course.root, one.student):
            try:
                if why is None:
                    self._write(one, page)
                else:
                    self._write_ungraded(one, page, why)
            except Exception as error:
                shutil.rmtree(page, ignore_errors=True)
                if isinstance(error, SQLAlchemyError):
                    raise
                return str(error) if isinstance(error, TOLD) else _said(error)
        return None

    def _write(self, one: Submitted, into: Path) -> None:
        refused = why_refused(one.folder)
        if refused is not None:
            raise BadNotebook(refused[1])
        notebooks = sorted(one.folder.glob("*.ipynb"))
        if not notebooks:
            raise BadNotebook("its folder in autograded/ holds no notebook")
        pages = {path.stem: self._page(one, path) for path in notebooks}
        _empty(into)
        for name in find_all_files(str(one.folder), [*self._directory.ignore, "*.ipynb"]):
            if stat.S_ISREG(os.lstat(name).st_mode):
                copy = into / os.path.relpath(name, one.folder)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(name, copy)
        self._put(one, into, pages)

    def _write_ungraded(self, one: Submitted, into: Path, why: Why) -> None:
        people = self._course.roster.names(one.student)
        names = {"student": one.student, "assignment": one.assignment, NAMES: people}
        page = ungraded_page(names, *why).encode()
        _empty(into)
        for name in FOR_EXCHANGE if why_refused(one.folder) is None else ():  # not through a link
            with suppress(BadNotebook):
                (into / name).write_bytes(read_regular_file(one.folder / name, LONGEST_LINE))
        self._put(one, into, {one.assignment: page})

    def _put(self, one: Submitted, into: Path, pages: Mapping[str, bytes]) -> None:
        """Put pages into their folder, where all that stands beside them is there already."""
        for name, page in pages.items():
            (into / f"{name}.part").write_bytes(page)
        self._nbgraders.set_permissions(one.assignment, one.student)
        for name in pages:
            (into / f"{name}.part").rename(into / f"{name}.html")

    def _page(self, one: Submitted, path: Path) -> bytes:
        notebook = nbformat.reader.reads(read_regular_file(path, LARGEST).decode())
        notebook = nbformat.convert(notebook, 4)
        nbformat.validate(notebook, relax_add_props=True)
        names = {"student": one.student, "assignment": one.assignment, "notebook": path.stem}
        names[NAMES] = self._course.roster.names(one.student)
        place = {"path": str(path.parent)}
        resources = ResourcesDict(nbgrader=names, unique_key=path.stem, metadata=place)
        try:
            times = times_of(self._course, self._gradebook, one.assignment, one.student)
            resources["nbgrader"][TIMES] = times
            marks = read_marks(self._gradebook, path.stem, one.assignment, one.student)
            put_marks(notebook, resources, marks)
            put_family_comments(self._course, notebook, one.assignment)
            show_right_answers(self._course, self._gradebook, notebook, one.assignment, one.student)
        finally:
            self._gradebook.db.rollback()  # the next one is read as it is then
        return self._exporter.from_notebook_node(notebook, resources)[0].encode()


def _empty(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True, mode=0o755)


def _said(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
