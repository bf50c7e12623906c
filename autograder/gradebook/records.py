"""How an autograded notebook came to be, so that nobody need make it again.

It stands in `autograded/<student>/<assignment>.json`, beside the folder that nbgrader's feedback is
copied from, so that it reaches no student. It names the notebook that it is about: with any other,
such as one that was half-way put in place, it says nothing, and the submission is graded anew.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from autograder.course import Course
from autograder.notebooks.submitted import Submitted

NOTEBOOK = "notebook"


@dataclass(frozen=True)
class Record:
    """What is known of an autograded notebook.

    Attributes:
        verdicts: the identities of the verdicts whose scores nbgrader saved, by exercise.
        made_of: the digest of all that the notebook and its grades were made of; None where
            nbgrader's own command made them.
        scores: the automatic scores by graded cell; None where a person's was waited for.
        notes: what was odd about what was handed in, in words.
    """

    verdicts: Mapping[str, str]
    made_of: str | None = None
    scores: Mapping[str, float | None] | None = None
    notes: tuple[str, ...] = ()


def record_file(course: Course, assignment: str, student: str) -> Path:
    """Where the record of a submission belongs."""
    return course.folder("autograded") / student / f"{assignment}.json"


def record_text(record: Record, notebook: str) -> str:
    """The content of a record's file.

    Args:
        record: what is known of the notebook.
        notebook: the notebook's whole file.
    """
    return json.dumps(asdict(record) | {NOTEBOOK: _digest(notebook.encode())}, indent=1)


def write_record(
    course: Course, assignment: str, student: str, record: Record, notebook: str
) -> None:
    """Write the record of a notebook that nbgrader is about to write; see `record_text`."""
    path = record_file(course, assignment, student)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}")
    unfinished.write_text(record_text(record, notebook), encoding="utf-8")
    unfinished.replace(path)


def read_record(course: Course, one: Submitted) -> Record | None:
    """The record of a submission's autograded notebook; None where there is none that is whole."""
    path = record_file(course, one.assignment, one.student)
    try:
        found = json.loads(path.read_bytes())
        notebook = path.parent / one.assignment / one.notebook.name
        if found[NOTEBOOK] != _digest(notebook.read_bytes()):
            return None
        return Record(
            dict(found["verdicts"]), found["made_of"], found["scores"], tuple(found["notes"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _digest(notebook: bytes) -> str:
    return hashlib.sha256(notebook).hexdigest()
