"""Reads notebooks for nbgrader as `autograder grade` reads them, and records what it wrote."""

import os
from contextlib import suppress
from dataclasses import replace
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
from autograder.gradebook.submission import tell_of_choice
from autograder.notebooks.choosing import choose
from autograder.notebooks.reading import read_notebook
from autograder.notebooks.submitted import Submitted

nbgrader_patches.patch_autograde()


class SafeNotebookExporter(NotebookExporter):
    """nbconvert's notebook exporter, but links, pipes, and broken or huge files are refused."""

    _notes: tuple[str, ...] = ()  # on which file of the submission at hand was read

    def from_filename(
        self, filename: str, resources: dict | None = None, **kwargs: Any
    ) -> tuple[Any, dict[str, Any]]:
        """Read a notebook safely and export it; raises BadNotebook."""
        course = grader_of(Path.cwd()).course
        path = Path(os.path.abspath(filename))
        if course.folder("submitted") in path.parents:
            folder = path.parent
            chosen = choose(course, Submitted(folder.parent.name, folder.name, folder))
            notebook, self._notes = chosen.notebook, chosen.notes
            for note in self._notes:
                self.log.warning("%s: %s", folder.parent.name, note)
        else:
            # Our own output is larger than what came in: after sanitising it is read back.
            notebook = read_notebook(path, course.limits.notebook_mb * 2**20 * 2)
            tell_of_choice(notebook, self._notes)
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
            record = replace(record, notes=self._notes)
            write_record(course, names["assignment"], names["student"], record, text)
            # It has been written by now; where it cannot be read, the next command logs it.
            with suppress(SQLAlchemyError), open_gradebook(course) as gradebook:
                logged = logged_of(course, names["assignment"])
                logged.notice(gradebook, {names["student"]}, "autograder", BY_NBGRADER)
        return text, resources
