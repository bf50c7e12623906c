"""What an instructor is told of an export: whose marks are not there, or not whole."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograder.export.marks import Mark

SHOWN = 10  # students that an error names
TOLD = 100  # students that are named where all may be needed


def told(marks: Sequence["Mark"]) -> list[str]:
    """A line for each kind of mark that is not plain, with the students."""
    kinds: dict[str, Callable[[Mark], bool]] = {
        "missing": lambda one: one.left_out == "missing",
        "missing, 0 points": lambda one: one.status == "missing" and one.score is not None,
        "excused": lambda one: one.left_out == "excused",
        "left out, points are pending": lambda one: one.left_out == "pending" and _waits(one),
        "left out, not graded": lambda one: one.left_out == "pending" and not _waits(one),
        "points that wait for a person or a GPU counted as 0": lambda one: (
            not one.left_out and _waits(one)
        ),
        "not graded, 0 points": lambda one: (
            not one.left_out and bool(one.pending_points) and not _waits(one)
        ),
        "handed in again since the last grading": lambda one: one.standing.outdated,
    }
    several = len({one.assignment.name for one in marks}) > 1
    lines = []
    for what, is_so in kinds.items():
        found = [_named(one, several) for one in marks if is_so(one)]
        lines += [f"{what}: {listed(found, ', ', TOLD)}"] if found else []
    return lines


def _waits(mark: "Mark") -> bool:
    """Whether it is graded but for points that wait; else nothing of it could be."""
    return mark.status == "graded" and bool(mark.pending_points)


def _named(mark: "Mark", several: bool) -> str:
    """The student; where it is not plain, of which assignment, and why nothing is graded."""
    reason = mark.standing.reason if mark.status == "ungraded" else None
    more = [mark.assignment.name] if several else []
    more += [reason] if reason else []
    return f"{mark.person.id} ({', '.join(more)})" if more else mark.person.id


def listed(found: Sequence[str], separator: str = "; ", most: int = SHOWN) -> str:
    """What there is, for a person; of many the first, and how many more there are."""
    more = len(found) - most
    return separator.join(found[:most]) + (f"{separator}and {more} more" if more > 0 else "")
