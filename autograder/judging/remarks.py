"""Remarks: what a student is told of a right answer, or beside its mistake, and what costs nothing.

A hidden test marked `remark` looks for one known mistake that costs nothing, and names it. Where it
fails for any other reason, such as an answer that never works, there is nothing to remark.
"""

from collections.abc import Iterable

from autograder.bank import mistakes
from autograder.judging.plugin import Found


def remarks(exercise: str, found: Iterable[Found]) -> tuple[tuple[str, str], ...]:
    """The slug of each mistake that costs nothing, and what is told of it.

    Args:
        exercise: the exercise's name.
        found: what its hidden tests found.
    """
    failed = (one for one in found if one.remark and one.outcome == "failed")
    seen = {one.misconception for one in failed}
    return tuple(
        (entry.slug, f"{entry.diagnosis} {entry.hint}")
        for entry in mistakes(exercise)
        if entry.costs_nothing and entry.slug in seen
    )
