"""What grading found, in short and as data, beside the HTML of a graded cell's feedback.

They stand in the metadata of an output that grading made: a student's own outputs are dropped
before, and what a student prints has no way there.
"""

from dataclasses import asdict, dataclass
from typing import Any

from nbformat import NotebookNode

from autograder.feedback.reasons import Mood

KEY = "autograder"


@dataclass(frozen=True)
class CellMarks:
    """What grading found about one exercise, in numbers and a sentence or two.

    Attributes:
        earned: points earned.
        available: points of the exercise, pending ones included.
        pending: points that are not given yet.
        waits: what gives them, "person" or "later"; None for a GPU.
        mood: how the exercise stands.
        state: the same in a few words.
        told: what cost points, with `code` in backticks; None where nothing did.
        hint: a pointer beside it, or None.
        stopped: what stopped the notebook above, where the answer fails for that.
    """

    earned: float
    available: float
    pending: float
    waits: str | None
    mood: Mood
    state: str = ""
    told: str | None = None
    hint: str | None = None
    stopped: tuple[str, ...] = ()


def output_metadata(marks: CellMarks) -> dict[str, Any]:
    """The metadata of the output that shows the feedback."""
    return {KEY: asdict(marks)}


def marks_beside(cell: NotebookNode) -> CellMarks | None:
    """The marks of a graded cell; None where it has no feedback of ours."""
    for output in cell.get("outputs", []):
        found = output.get("metadata", {}).get(KEY)
        if found is not None:
            return CellMarks(**found)
    return None
