"""The whole feedback page: nbgrader's own page content, in a layout made for reading.

`course_config.py` switches it on:
`c.GenerateFeedback.exporter_class = "autograder.feedback.page.FeedbackExporter"`.
nbgrader's formgrader keeps its own exporter.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from jinja2 import BaseLoader, Environment, PackageLoader
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode
from traitlets import default

from autograder.feedback.cell_marks import marks_beside
from autograder.feedback.palette import PALETTE
from autograder.feedback.safe_html import sanitised
from autograder.feedback.safe_markdown import markdown2html
from autograder.feedback.words import number, points


class FeedbackExporter(HTMLExporter):
    """Writes what `nbgrader generate_feedback` saves: a summary, then the notebook with feedback.

    What students wrote (text and outputs) is sanitised; nbgrader's own template shows it as it is.
    """

    def __init__(self, config: Any = None, **kwargs: Any) -> None:
        loaders: list[BaseLoader] = [PackageLoader("autograder.feedback")]
        super().__init__(config=config, extra_loaders=loaders, **kwargs)

    @default("template_file")
    def _template_file_default(self) -> str:
        return "page.html.j2"

    @default("sanitize_html")
    def _sanitize_html_default(self) -> bool:
        return True

    def default_filters(self) -> Iterator[tuple[str, Any]]:
        """nbconvert's filters, with sanitising ones in place of its own."""
        yield from super().default_filters()
        yield "clean_html", sanitised
        yield "markdown2html", markdown2html
        yield "bonus_earned", bonus_earned
        yield "marks", marks
        yield "number", number
        yield "points", points
        yield "still_open", still_open

    def _create_environment(self) -> Environment:
        environment = super()._create_environment()
        environment.tests["commented"] = has_comment
        return environment

    def _init_resources(self, resources: dict[str, Any] | None) -> dict[str, Any]:
        return super()._init_resources(resources) | {"palette": PALETTE}


def marks(cell: NotebookNode) -> dict[str, Any] | None:
    """What a graded cell shows for itself in the summary; None for a cell that carries no marks.

    nbgrader's score counts, since an instructor may have changed it; `differs` says that one did.
    A cell that adds nothing to nbgrader's maximum is a bonus.
    """
    grading = cell.metadata.get("nbgrader") or {}
    if not (grading.get("grade") or grading.get("task")):
        return None
    score, available = float(grading.get("score") or 0), float(grading.get("points") or 0)
    found = marks_beside(cell)
    waiting = bool(grading.get("waiting"))  # an answer that no person has looked at yet
    earned, pending = (found.earned, found.pending) if found else (score, 0.0)
    bonus = available == 0
    if bonus:
        available = found.available if found else score
    differs = abs(score - earned) > 0.005 or (waits_for_person(cell) and not waiting)
    mood = found.mood if found and not differs else _mood(score, available)
    return {
        "name": str(grading.get("grade_id", "")).removeprefix("test_"),
        "score": score,
        "available": available,
        "bonus": bonus,
        "pending": 0.0 if differs or waiting else pending,
        "for_gpu": found is not None and found.waits is None,
        "waiting": waiting,
        "differs": differs and found is not None,
        "mood": "waiting" if waiting else mood,
        "rendered": found is not None,
    }


def still_open(cells: Iterable[NotebookNode]) -> float:
    """Points that no mark is given for yet, beside nbgrader's total: a GPU's and a person's."""
    found = [mark for mark in map(marks, cells) if mark]
    unread = (mark["available"] - mark["score"] for mark in found if mark["waiting"])
    return sum((mark["pending"] for mark in found), 0.0) + sum(map(float, unread), 0.0)


def bonus_earned(cells: Iterable[NotebookNode]) -> float:
    """Points that count on top of nbgrader's maximum."""
    found = (mark for mark in map(marks, cells) if mark)
    return sum((mark["score"] for mark in found if mark["bonus"]), 0.0)


def waits_for_person(cell: NotebookNode) -> bool:
    """Whether the cell's feedback left its points to a person."""
    found = marks_beside(cell)
    return found is not None and found.waits == "person"


def has_comment(cell: NotebookNode) -> bool:
    """Whether an instructor wrote a comment on the cell."""
    return bool((cell.metadata.get("nbgrader") or {}).get("comment"))


def _mood(score: float, available: float) -> str:
    if not available:
        return "untried"
    if score > available - 0.005:
        return "full"
    return "part" if score > 0 else "none"
