"""The answers in sentences, which a person will read: found in the notebook as it was saved."""

from collections.abc import Iterable
from typing import Any

UNANSWERED = "*Write your answer here.*"
"""What an answer's cell holds in the release; nbgrader itself gives 0 where it still stands."""


def written_answers(cells: Iterable[dict[str, Any]]) -> dict[str, bool]:
    """The written answers of a notebook by name, in order, and whether something is written.

    Args:
        cells: the notebook's, each with its text as one string.
    """
    answers = {}
    for cell in cells:
        mark = cell.get("metadata", {}).get("nbgrader", {})
        if cell["cell_type"] == "markdown" and mark.get("grade") and mark.get("solution"):
            answers[mark["grade_id"]] = cell["source"].strip() not in ("", UNANSWERED)
    return answers
