"""What no visible check of an exercise looks at, because looking would give the answer away."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.course.errors import CourseError

NOT_CHECKED = "*What no check above looks at:* {says}"
"""Stands below the checks of an exercise that leave something open."""


@dataclass(frozen=True)
class NotChecked:
    """What an exercise's checks leave open, and say so.

    Attributes:
        exercise: the exercise's name.
        says: a sentence to the student, which stands beneath the checks.
        mistakes: the slugs of known mistakes that may pass all checks for that reason.
    """

    exercise: str
    says: str
    mistakes: frozenset[str]


def not_checked(metadata: Mapping[str, Any], source: Path) -> NotChecked | None:
    """What the metadata of an exercise's cell declares; None where it declares nothing.

    Args:
        metadata: `not_checked`, a sentence, and `unseen`, slugs with spaces or commas between them.
        source: the percent notebook, for the error's text.
    Raises:
        CourseError: one of the two is there without the other.
    """
    says, unseen = metadata.get("not_checked"), metadata.get("unseen")
    if says is None and unseen is None:
        return None
    name = metadata.get("exercise")
    mistakes = frozenset(re.split(r"[\s,]+", unseen.strip())) if isinstance(unseen, str) else set()
    if not isinstance(name, str) or not isinstance(says, str) or not any(mistakes):
        raise CourseError(
            f"{source}: what no check looks at is declared by both, a sentence and the mistakes "
            'that it is true of: `# %% exercise="f" points=2 not_checked="No check ..." '
            'unseen="some-mistake another"`.'
        )
    return NotChecked(name, says, frozenset(mistakes))
