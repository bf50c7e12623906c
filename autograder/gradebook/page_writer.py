"""Writes feedback pages in one process: one exporter and one connection to the gradebook for all.

Paths, copies and permissions are those of nbgrader's own generate_feedback.
"""

import os
import shutil
import stat
from pathlib import Path

import nbformat
from nbconvert.exporters.exporter import ResourcesDict
from nbgrader.converters import GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import find_all_files
from sqlalchemy.exc import SQLAlchemyError

from autograder.course import Course
from autograder.course.locks import locked
from autograder.feedback.shared import SharedExporter
from autograder.gradebook.class_names import NAMES
from autograder.gradebook.family_comments import put_family_comments
from autograder.gradebook.page_marks import NotGraded, put_marks, read_marks
from autograder.gradebook.right_answers import show_right_answers
from autograder.gradebook.scores import open_gradebook
from autograder.notebooks.plain_file import BadNotebook, read_regular_file
from autograder.notebooks.submitted import Submitted, why_refused

LARGEST = 2**30
TOLD = (BadNotebook, NotGraded)


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

    def write(self, one: Submitted) -> str | None:
        """Write the feedback of one submission in `autograded/`, whole or not at all.

        Returns:
            None when it went well, else why there is none.

        Raises:
            SQLAlchemyError: the gradebook cannot be used.
        """
        page = self._course.folder("feedback") / one.student / one.assignment
        with locked(self._course.root, one.student):
            try:
                self._write(one, page)
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
        if into.exists():
            shutil.rmtree(into)
        into.mkdir(parents=True, mode=0o755)
        for name in find_all_files(str(one.folder), [*self._directory.ignore, "*.ipynb"]):
            if stat.S_ISREG(os.lstat(name).st_mode):
                copy = into / os.path.relpath(name, one.folder)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(name, copy)
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
            marks = read_marks(self._gradebook, path.stem, one.assignment, one.student)
            put_marks(notebook, resources, marks)
            put_family_comments(self._course, notebook, one.assignment)
            show_right_answers(self._course, self._gradebook, notebook, one.assignment, one.student)
        finally:
            self._gradebook.db.rollback()  # the next one is read as it is then
        return self._exporter.from_notebook_node(notebook, resources)[0].encode()


def _said(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
