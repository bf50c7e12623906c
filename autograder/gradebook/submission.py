"""What a student handed in, read without trust and put in order."""

import hashlib
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from nbformat import NotebookNode

from autograder.course import Course
from autograder.notebooks.plain_file import BadNotebook, read_regular_file
from autograder.notebooks.reading import read_notebook
from autograder.notebooks.sanitise import sanitise
from autograder.notebooks.submitted import Submitted, read_files, why_refused
from autograder.verdicts import Grader, Submission, SubmissionVerdict
from autograder.verdicts.key import digest

FIRST = 3


def read_submission(course: Course, one: Submitted) -> tuple[Submission, NotebookNode, list[str]]:
    """All that a verdict depends on of a submitted folder.

    Returns:
        what is graded, the notebook put in order, and what was odd about it, in words.

    Raises:
        BadNotebook: its notebook, or a file beside it, cannot be graded.
    """
    assignment = course.assignment(one.assignment)
    notebook = read_notebook(one.notebook, course.limits.notebook_mb * 2**20)
    files = read_own_files(course, assignment.name, one.folder)
    notes = sanitise(notebook, assignment)
    submission = Submission.of(notebook, assignment, one.student, files)
    return submission, notebook, notes + _defined_again(submission)


def numbered(
    verdict: SubmissionVerdict, submission: Submission, notebook: NotebookNode
) -> SubmissionVerdict:
    """A verdict whose stops say which cell of this notebook they are about."""
    numbers: list[int] = []
    left = iter(enumerate(notebook.cells, 1))
    for _, source in submission.cells:  # in the notebook's order, some of its cells left out
        same = (n for n, cell in left if cell.cell_type == "code" and cell.source == source)
        numbers += [number for number in [next(same, None)] if number is not None]
    if len(numbers) < len(submission.cells):
        return verdict
    exercises = [
        replace(one, stops=tuple(replace(stop, cell=numbers[stop.place]) for stop in one.stops))
        for one in verdict.exercises
    ]
    return replace(verdict, exercises=tuple(exercises))


def content_of(course: Course, one: Submitted) -> str:
    """The digest of all that is read and copied of a submitted folder.

    Raises:
        BadNotebook: the folder cannot be graded.
    """
    refused = why_refused(one.folder)
    if refused is not None:
        raise BadNotebook(refused[1])
    files = read_own_files(course, one.assignment, one.folder)
    notebook = read_regular_file(one.notebook, course.limits.notebook_mb * 2**20)
    found = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    return digest([hashlib.sha256(notebook).hexdigest(), found])


def expect(grader: Grader, submitted: Sequence[Submitted]) -> None:
    """Let the grading process start meanwhile, if one of the first submissions will need it."""
    for one in submitted[:FIRST]:
        with suppress(Exception):  # whatever is wrong with it, grading will say
            if why_refused(one.folder) is None:
                submission, _, _ = read_submission(grader.course, one)
                grader.expect(submission)


def read_own_files(course: Course, assignment: str, folder: Path) -> dict[str, bytes]:
    """The files beside a submitted notebook that the assignment does not bring itself.

    Raises:
        BadNotebook: they are too large, too many or too deep.
    """
    ours = course.data_files(assignment)
    return read_files(folder, course.limits.files_mb * 2**20, ours)


def _defined_again(submission: Submission) -> list[str]:
    """Which exercises their own cell defines more than once."""
    notes = []
    for exercise, source in submission.cells:
        if exercise is None:
            continue
        pattern = rf"^(?:async +)?(?:def|class) +{re.escape(exercise)}\b"
        count = len(re.findall(pattern, source, re.MULTILINE))
        if count > 1:
            notes.append(f"its cell defines {exercise} {count} times; the last one counts")
    return notes
