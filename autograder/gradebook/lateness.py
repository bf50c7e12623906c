"""How late something was handed in: in days of the course's calendar, and in words for pages."""

import math
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

from nbgrader.api import Assignment, Gradebook, SubmittedAssignment
from nbgrader.plugins import LateSubmissionPlugin
from sqlalchemy import select

from autograder.course import Course
from autograder.course.hand_ins import HandIns
from autograder.course.moments import in_words

DAY = timedelta(days=1)


def days_late(plugin: LateSubmissionPlugin, student_id: str, total_seconds_late: float) -> int:
    """The days begun since a student's due time, by the course's calendar, for a plugin's penalty.

    What is due on Saturday at 18:00 is one day late until Sunday at 18:00, also on the day on which
    the clock goes back, which has 25 hours.

    Args:
        plugin: one that nbgrader asks for a penalty.
        student_id: who handed in.
        total_seconds_late: as the plugin is told.
    """
    due = _due(plugin, student_id)
    if due is None:
        return math.ceil(total_seconds_late / DAY.total_seconds())
    zone = HandIns(config=plugin.config).zone
    handed_in = due + timedelta(seconds=total_seconds_late)
    return max(1, math.ceil((_clock(handed_in, zone) - _clock(due, zone)) / DAY))


def _due(plugin: LateSubmissionPlugin, student_id: str) -> datetime | None:
    """Until when the student could hand in; None for a plugin that nobody has started."""
    stage: Any = plugin.parent
    if hasattr(stage, "due"):  # it is decided by `rows.py`, which may not have written it yet
        due: datetime | None = stage.due
    elif hasattr(stage, "gradebook"):
        due = stage.gradebook.find_submission(stage.assignment_id, student_id).duedate
    else:
        due = None
    return due and due.replace(tzinfo=UTC)


def _clock(moment: datetime, zone: tzinfo | None) -> datetime:
    """What the course's clocks show."""
    return moment.astimezone(zone).replace(tzinfo=None)


def times_of(
    course: Course, gradebook: Gradebook, assignment: str, student: str
) -> dict[str, str | bool]:
    """When a submission was handed in and due, in words, for its page; empty where nothing tells.

    Returns:
        `handed_in` and `due`; `extended`, whether others have less time; `late`, by how much.
    """
    query = (
        select(Assignment.duedate, SubmittedAssignment.timestamp, SubmittedAssignment.extension)
        .join(SubmittedAssignment, SubmittedAssignment.assignment_id == Assignment.id)
        .where(Assignment.name == assignment, SubmittedAssignment.student_id == student)
    )
    row = gradebook.db.execute(query).one_or_none()
    if row is None:
        return {}
    handed_in = row.timestamp and row.timestamp.replace(tzinfo=UTC)
    due = row.duedate and (row.duedate + (row.extension or timedelta(0))).replace(tzinfo=UTC)
    late = handed_in - due if handed_in and due else timedelta(0)
    return {
        "handed_in": in_words(handed_in, course.zone) if handed_in else "",
        "due": in_words(due, course.zone) if due else "",
        "extended": bool(due and row.extension),
        "late": lasting(late) if late > timedelta(0) else "",
    }


def lasting(time: timedelta) -> str:
    """A length of time in its two largest units: `1 day 3 hours`."""
    left = math.ceil(time.total_seconds())
    parts = []
    for unit, seconds in (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)):
        many, left = divmod(left, seconds)
        parts.append((many, unit))
    first = next((place for place, (many, _) in enumerate(parts) if many), len(parts) - 1)
    told = [(many, unit) for many, unit in parts[first : first + 2] if many]
    return " ".join(f"{many} {unit}{'' if many == 1 else 's'}" for many, unit in told)
