"""Reads notebooks for nbgrader as `autograder grade` reads them, and records what it wrote."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from sqlalchemy.exc import SQLAlchemyError

from autograder.gradebook import nbgrader_patches
from autograder.gradebook.grading import grader_of
from autograder.gradebook.logged import BY_NBGRADER, logged_of
from autograder.gradebook.preprocessors import RECORD
from autograder.gradebook.records import write_record
from autograder.gradebook.scores import open_gradebook
from autograder.notebooks.plain_file import BadNotebook
from autograder.notebooks.reading import read_notebook
from autograder.notebooks.submitted import why_refused

nbgrader_patches.patch_autograde()


class SafeNotebookExporter(NotebookExporter):
    """nbconvert's notebook exporter, but links, pipes, and broken or huge files are refused."""

    def from_filename(
        self, filename: str, resources: dict | None = None, **kwargs: Any
    ) -> tuple[Any, dict[str, Any]]:
        """Read a notebook safely and export it; raises BadNotebook."""
        course = grader_of(Path.cwd()).course
        path = Path(os.path.abspath(filename))
        if course.folder("submitted") in path.parents:
            refused = why_refused(path.parent)
            if refused is not None:
                raise BadNotebook(refused[1])
        limit = course.limits.notebook_mb * 2**20
        # Our own output is larger than what came in: the stage after sanitising reads it back.
        notebook = read_notebook(path, limit * 2)
        return self.from_notebook_node(notebook, resources=resources, **kwargs)

    def from_notebook_node(
        self, nb: NotebookNode, resources: dict | None = None, **kwargs: Any
    ) -> tuple[Any, dict[str, Any]]:
        """Export a notebook; where it was graded, write its record."""
        text, resources = super().from_notebook_node(nb, resources, **kwargs)
        record = resources.pop(RECORD, None)
        if record is not None:
            names = resources["nbgrader"]
            course = grader_of(Path.cwd()).course
            write_record(course, names["assignment"], names["student"], record, text)
            # It has been written by now; where it cannot be read, the next command logs it.
            with suppress(SQLAlchemyError), open_gradebook(course) as gradebook:
                logged = logged_of(course, names["assignment"])
                logged.notice(gradebook, {names["student"]}, "autograder", BY_NBGRADER)
        return text, resources
