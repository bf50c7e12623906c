"""One assignment through nbgrader: its sources staged, and GenerateAssignment run on them."""

import copy
import logging
from pathlib import Path

import nbformat

from autograder.build.preprocessors import KEEP_CELLS, PREPROCESSORS, REGISTER_CELLS
from autograder.build.source_notebook import percent_path, source_notebook
from autograder.course import Assignment, Course, CourseError
from autograder.course.data_files import data_files
from autograder.course.layout import checks_folder

CELLS = "cells.ipynb"


def student_version(course: Course, name: str, stage: Path) -> Path:
    """Make an assignment's student version under an empty folder; the gradebook stays as it is.

    Args:
        course: the course.
        name: the assignment's name.
        stage: gets `source/<name>`, the instructor's notebook included, `release/<name>`, and
            `cells.ipynb`, which `register_cells` enters into the gradebook.
    Returns:
        the folder of the student version.
    Raises:
        CourseError: the sources are wrong, or nbgrader refuses them.
    """
    notebook = source_notebook(course, _assignment(course, name))
    source = _stage_source(percent_path(course, name).parent, stage / "source" / name)
    nbformat.write(notebook, source / f"{name}.ipynb")
    return _generate(course, name, stage)


def read_cells(stage: Path) -> nbformat.NotebookNode:
    """What `student_version` has left there for `register_cells`."""
    return nbformat.read(stage / CELLS, as_version=nbformat.NO_CONVERT)


def _assignment(course: Course, name: str) -> Assignment:
    percent = percent_path(course, name)
    if percent.parent.is_dir() and not percent.is_file():
        raise CourseError(f"{percent} is missing: the notebook's text and its exercises' points.")
    assignment = course.assignment(name)
    checks = checks_folder(course.root, name)  # those of questions come with every release
    writes_code = any(exercise.kind == "code" for exercise in assignment.exercises)
    if writes_code and not any(checks.glob("*.py")):
        raise CourseError(f"{checks} is empty: students of {name} would have no visible checks.")
    return assignment


def _stage_source(folder: Path, stage: Path) -> Path:
    """Copy an assignment's figures and data, and leave its notebooks out."""
    stage.mkdir(parents=True)
    for relative, content in data_files(folder).items():
        (stage / relative).parent.mkdir(parents=True, exist_ok=True)
        (stage / relative).write_bytes(content)
    return stage


def _generate(course: Course, name: str, stage: Path) -> Path:
    """Run GenerateAssignment from `stage/source` to `stage/release`; gives the latter's folder."""
    from nbgrader.converters import GenerateAssignment  # late: it imports half of Jupyter
    from nbgrader.converters.base import NbGraderException
    from nbgrader.coursedir import CourseDirectory

    if list(course.config.GenerateAssignment.get("preprocessors", ())) != PREPROCESSORS:
        raise CourseError(
            "course_config.py: c.GenerateAssignment.preprocessors must be "
            "autograder.build.preprocessors.PREPROCESSORS."
        )
    config = copy.deepcopy(course.config)
    folders = {"source_directory": stage / "source", "release_directory": stage / "release"}
    config.CourseDirectory.update({step: str(folder) for step, folder in folders.items()})
    config.CourseDirectory.update(root=str(course.root), assignment_id=name)
    config.GenerateAssignment.no_database = True  # nbgrader enters the assignment before its cells
    stages = [KEEP_CELLS if one == REGISTER_CELLS else one for one in PREPROCESSORS]
    config.GenerateAssignment.preprocessors = stages
    config.KeepCells.file = str(stage / CELLS)
    said = _Errors()
    log = logging.Logger(__name__)
    log.addHandler(said)
    directory = CourseDirectory(config=config, log=log)
    try:
        GenerateAssignment(coursedir=directory, config=config, log=log).start()
    except NbGraderException as error:
        raise CourseError(
            f"{name}: nbgrader could not make the student's version: {said.last or error}"
        ) from error
    return stage / "release" / name


class _Errors(logging.Handler):
    """Keeps nbgrader's last error message that says something: the end of a traceback."""

    last = ""

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage().strip()
        if record.levelno >= logging.ERROR and text.startswith("Traceback"):
            self.last = text.splitlines()[-1]
