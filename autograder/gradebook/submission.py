"""What a student handed in, read without trust and put in order."""

import hashlib
import re
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path

from nbformat import NotebookNode

from autograder.course import Course
from autograder.notebooks.choosing import MOST_NOTEBOOKS, choose, notebooks_of, released_texts
from autograder.notebooks.plain_file import BadNotebook, read_regular_file
from autograder.notebooks.sanitise import sanitise
from autograder.notebooks.submitted import Submitted, read_files, why_refused
from autograder.verdicts import Grader, Submission, SubmissionVerdict
from autograder.verdicts.key import digest

FIRST = 3
CHOICE = "autograder_read"  # in a notebook's metadata: what its page says of the file


def read_submission(course: Course, one: Submitted) -> tuple[Submission, NotebookNode, list[str]]:
    """All that a verdict depends on of a submitted folder.

    Returns:
        what is graded, the notebook put in order, and what was odd about it, in words.

    Raises:
        BadNotebook: its notebook, or a file beside it, cannot be graded.
    """
    assignment = course.assignment(one.assignment)
    chosen = choose(course, one)
    notebook = chosen.notebook
    files = read_own_files(course, assignment.name, one.folder)
    notes = [*chosen.notes, *sanitise(notebook, assignment)]
    tell_of_choice(notebook, chosen.notes)
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


def why_unreadable(course: Course, one: Submitted) -> tuple[str, str] | None:
    """The reason why a submitted folder cannot be read, and more about it; None where it can."""
    try:
        read_submission(course, one)
    except BadNotebook as error:
        return error.reason, str(error)
    except OSError as error:
        return "bad_notebook", f"it cannot be read: {error.strerror or error}"
    return None


def tell_of_choice(notebook: NotebookNode, notes: Sequence[str]) -> None:
    """Let a notebook's page say which file was read, where that does not go without saying."""
    if notes:
        notebook.metadata[CHOICE] = list(notes)


def content_of(course: Course, one: Submitted) -> str:
    """The digest of all that is read and copied of a submitted folder.

    Raises:
        BadNotebook: the folder cannot be graded.
    """
    refused = why_refused(one.folder)
    if refused is not None:
        raise BadNotebook(refused[1], refused[0])
    files = read_own_files(course, one.assignment, one.folder)
    found = {name: _hash(data) for name, data in files.items()}
    paths = notebooks_of(one)
    found |= dict.fromkeys((path.name for path in paths), "")
    for path in paths[: MOST_NOTEBOOKS + 1]:
        # Another one's text may decide which is read, unless it is none that could be.
        with suppress(BadNotebook) if path != one.notebook else nullcontext():
            found[path.name] = _hash(read_regular_file(path, course.limits.notebook_mb * 2**20))
    released = sorted(released_texts(course, one.assignment) or ()) if len(paths) > 1 else []
    return digest([released, found])


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def expect(grader: Grader, submitted: Sequence[Submitted]) -> None:
    """Let the grading process start meanwhile, if one of the first submissions will need it."""
    for one in submitted[:FIRST]:
        with suppress(Exception):  # whatever is wrong with it, grading will say
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
