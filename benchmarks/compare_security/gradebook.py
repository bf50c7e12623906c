"""What nbgrader's gradebook says, asked through nbgrader's own API."""

from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry


def score_of(course: Path, assignment: str, student: str) -> float | None:
    """The score of a submission, as formgrader and `nbgrader export` give it."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        try:
            return float(gradebook.find_submission(assignment, student).score)
        except MissingEntry:
            return None
