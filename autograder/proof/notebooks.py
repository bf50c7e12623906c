"""Runs released notebooks as Jupyter does: with the reference pasted in, and untouched."""

import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import nbformat
from nbformat import NotebookNode

from autograder.build.predictions import KEY
from autograder.build.quiz_cells import REFERENCE_ID, signed
from autograder.build.reading_page import pictures
from autograder.build.repairs import broken_version
from autograder.build.source_notebook import reference_notebook
from autograder.checks.kit.discovery import example_of, modules_with_checks
from autograder.checks.kit.packages import absent
from autograder.course import Assignment, Course, Exercise
from autograder.notebooks.sanitise import grade_id

CELL_SECONDS = 300
LONGEST_ERROR = 300
NOT_WRITTEN = "is not written yet"
DRAWS = re.compile(  # at the cell's top level, not in a function that it defines
    r"^(?=[^\s#]).*\bplt\.(subplots|figure|imshow|matshow|pcolormesh|plot|bar|hist|show)\(",
    re.MULTILINE,
)
DESCRIBED = re.compile(r'<figure [^>]*aria-label="[^"]')

State = Literal["solved", "untouched"]


@dataclass(frozen=True)
class NotebookRun:
    """What running one released notebook showed.

    Attributes:
        assignment: the assignment's name.
        state: `solved` with the reference pasted in, or `untouched`.
        seconds: how long it took from starting the kernel to its end.
        cells: how many code cells ran.
        pictures: how many pictures its outputs show, those of the checks included.
        problems: what is wrong, a sentence each.
    """

    assignment: str
    state: State
    seconds: float
    cells: int
    pictures: int
    problems: tuple[str, ...]


def run_notebooks(
    course: Course, assignments: list[Assignment], workers: int
) -> Iterator[NotebookRun]:
    """Run every assignment's released notebook, solved and untouched.

    Yields:
        one run for each, in order.
    """
    states: tuple[State, ...] = ("solved", "untouched")
    asked = [(assignment, state) for assignment in assignments for state in states]
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(lambda one: _run(course, *one), asked)


def _run(course: Course, assignment: Assignment, state: State) -> NotebookRun:
    released = course.folder("release") / assignment.name
    notebook = released / f"{assignment.name}.ipynb"
    if not notebook.is_file():
        why = f"{notebook} is missing: run `autograder release {assignment.name}`"
        return NotebookRun(assignment.name, state, 0.0, 0, 0, (why,))
    opened = nbformat.read(notebook, as_version=4)
    if state == "solved":
        paste(opened, reference_notebook(course, assignment, REFERENCE_ID))
    with tempfile.TemporaryDirectory(prefix="autograder-notebook-") as place:
        folder = shutil.copytree(released, Path(place, assignment.name))
        begun = time.perf_counter()
        stopped = _execute(opened, folder)
        seconds = time.perf_counter() - begun
    problems = [stopped] if stopped else []
    if state == "solved":
        problems += [*_errors(opened), *_missing_pictures(opened, assignment)]
    elif not stopped:
        problems += _begun(opened, course, assignment)
    ran = [cell for cell in opened.cells if cell.get("execution_count")]
    shown = sum(1 for _ in pictures(opened)) + sum(map(_shows_picture, ran))
    return NotebookRun(assignment.name, state, seconds, len(ran), shown, tuple(problems))


def paste(notebook: NotebookNode, reference: NotebookNode) -> None:
    """Put the reference's answers into a released notebook, as a student would type them."""
    answers = {grade_id(cell) or cell.metadata.get(KEY): cell.source for cell in reference.cells}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            marks = cell.metadata.get("nbgrader", {})
            name = marks.get("grade_id") if marks.get("solution") else cell.metadata.get(KEY)
            if name is not None:
                cell.source = answers[name]
            elif not marks.get("grade"):
                cell.source = signed(cell.source, REFERENCE_ID)


def _execute(notebook: NotebookNode, folder: Path) -> str | None:
    """Run all cells in a kernel of this Python; gives what ended it early, or None."""
    from nbclient.exceptions import CellTimeoutError, DeadKernelError
    from nbconvert.preprocessors import ExecutePreprocessor

    run = ExecutePreprocessor(
        timeout=CELL_SECONDS,
        kernel_name="python3",
        allow_errors=True,
        extra_arguments=["--log-level=40"],  # a kernel's warnings are for whoever configures it
    )
    try:
        run.preprocess(notebook, {"metadata": {"path": str(folder)}})
    except CellTimeoutError:
        return f"a cell took more than {CELL_SECONDS} seconds"
    except DeadKernelError:
        return "the kernel died"
    return None


def _errors(notebook: NotebookNode) -> list[str]:
    return [
        f"cell {number}, which begins {_first_line(cell)!r}: {error}"
        for number, cell in enumerate(notebook.cells, start=1)
        for error in [_error_of(cell) or _warning_of(cell)]
        if error is not None
    ]


def _error_of(cell: NotebookNode) -> str | None:
    for output in cell.get("outputs", []):
        if output.output_type == "error":
            return f"{output.ename}: {output.evalue}"[:LONGEST_ERROR]
    return None


def _warning_of(cell: NotebookNode) -> str | None:
    """What a cell writes to stderr: nbgrader takes that for a failure of a graded cell."""
    for output in cell.get("outputs", []):
        if output.output_type == "stream" and output.name == "stderr":
            return f"writes to stderr: {output.text.strip()}"[:LONGEST_ERROR]
    return None


def _missing_pictures(notebook: NotebookNode, assignment: Assignment) -> list[str]:
    """Which pictures no words describe, and which checks show none though there is an example."""
    problems = []
    undescribed = [id(output) for output, words in pictures(notebook) if not words]
    described = [id(output) for output, words in pictures(notebook) if words]
    for number, cell in enumerate(notebook.cells, start=1):
        shown = [id(output) for output in cell.get("outputs", [])]
        where = f"cell {number}, which begins {_first_line(cell)!r},"
        if not set(shown).isdisjoint(undescribed):
            below = '"*In words:*" below it describes'
            problems.append(f"{where} shows a picture that no {below}")
        elif _draws(cell) and set(shown).isdisjoint(described):
            problems.append(f"{where} draws, and shows no picture")
    graded = {grade_id(cell): cell for cell in notebook.cells if grade_id(cell)}
    for exercise in assignment.exercises:
        example = example_of(exercise.name) if exercise.kind == "code" else None
        if _lacks_a_package(exercise):
            continue
        if example is not None and not _shows_picture(graded[exercise.graded_cell]):
            problems.append(f"the check of {exercise.name} shows no picture with words")
    return problems


def _draws(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and DRAWS.search(cell.source) is not None


def _shows_picture(cell: NotebookNode) -> bool:
    """Whether a check's report in the cell has a picture with the same in words."""
    pages = [output.get("data", {}).get("text/html", "") for output in cell.get("outputs", [])]
    return any(DESCRIBED.search(page) for page in pages)


def _begun(notebook: NotebookNode, course: Course, assignment: Assignment) -> list[str]:
    """What an untouched notebook shows otherwise than in a line that says what is not there yet."""
    graded = {grade_id(cell): cell for cell in notebook.cells if grade_id(cell)}
    problems = [
        f"cell {number}, which begins {_first_line(cell)!r}, shows a traceback: {_error_of(cell)}"
        for number, cell in enumerate(notebook.cells, start=1)
        if any(map(_is_traceback, cell.get("outputs", [])))
    ]
    for exercise in assignment.exercises:
        if exercise.kind == "written" or _lacks_a_package(exercise):
            continue
        error = _error_of(graded[exercise.graded_cell])
        if error is None:
            problems.append(f"the check of {exercise.name} passes in an untouched notebook")
        elif NOT_WRITTEN not in error and not _is_begun(course, assignment, exercise):
            problems.append(f"the check of {exercise.name} does not say {NOT_WRITTEN!r}: {error}")
    return problems


def _is_traceback(output: NotebookNode) -> bool:
    return output.output_type == "error" and not output.traceback[0].startswith("Not yet: ")


def _lacks_a_package(exercise: Exercise) -> bool:
    """Whether its check can only say which package is missing here."""
    modules_with_checks()  # importing a module declares what it needs
    return absent(exercise.name) is not None


def _is_begun(course: Course, assignment: Assignment, exercise: Exercise) -> bool:
    """Whether students find something else than a stub: a question, or code to repair."""
    if exercise.kind == "quiz":
        return True
    return broken_version(course, assignment.name, exercise.name) is not None


def _first_line(cell: NotebookNode) -> str:
    return next(iter(cell.source.strip().splitlines()), "")[:60]
