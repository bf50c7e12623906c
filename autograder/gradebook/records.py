"""What a graded notebook says of how it came to be, so that nobody need make it again."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from nbformat import NotebookNode

from autograder.course import Course
from autograder.notebooks.submitted import Submitted

RECORD = "autograder"
# Where nbformat, and we, write a notebook's own metadata: after its cells, which are nearly all of
# the file, and on a line of its own. No line within a cell begins so, nor can one within a string.
METADATA = b'\n "metadata": '


@dataclass(frozen=True)
class Record:
    """Written into the metadata of an autograded notebook.

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


def write_record(notebook: NotebookNode, record: Record) -> None:
    """Write a record into a notebook's metadata, in place."""
    notebook.metadata[RECORD] = asdict(record)


def read_record(course: Course, one: Submitted) -> Record | None:
    """The record of a submission's autograded notebook; None where there is none that is whole."""
    path = course.folder("autograded") / one.student / one.assignment / one.notebook.name
    try:
        _, _, rest = path.read_bytes().rpartition(METADATA)
        metadata, _ = json.JSONDecoder().raw_decode(rest.decode())
        found = metadata[RECORD]
        return Record(
            dict(found["verdicts"]), found["made_of"], found["scores"], tuple(found["notes"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
