"""What Moodle makes of a grading worksheet, from its `mod/assign/feedback/offline`.

Written from Moodle's source alone: it shares nothing with what fills the file.
"""

import csv
import io
import re
from dataclasses import dataclass, field
from datetime import datetime


@dataclass
class MoodleGrade:
    grade: float
    modified: datetime
    locked: bool = False


@dataclass
class MoodleAssignment:
    """An assignment at Moodle: its maximum, who takes part, what is graded; its language."""

    maximum: float
    participants: dict[int, str]
    grades: dict[int, MoodleGrade] = field(default_factory=dict)
    locked: set[int] = field(default_factory=set)
    names: tuple[str, str, str] = ("Identifier", "Grade", "Last modified (grade)")
    decimals: str = "."


@dataclass
class Uploaded:
    """What an upload would do: new grades, and whose row is skipped without a word, and why."""

    grades: dict[int, float] = field(default_factory=dict)
    skipped: dict[int, str] = field(default_factory=dict)


def upload(
    assignment: MoodleAssignment,
    content: bytes,
    encoding: str = "utf-8",
    separator: str = ",",
) -> Uploaded:
    """Upload a worksheet; AssertionError where Moodle would refuse it whole."""
    text = content.decode(encoding).removeprefix("\ufeff")
    text = re.sub(r"\r\n?", "\n", text)
    rows = list(csv.reader(io.StringIO(text), delimiter=separator, strict=True))
    header = [name.strip() for name in rows[0]]
    assert all(name in header for name in assignment.names), "invalidgradeimport"
    identifier, grade_at, modified_at = (
        max(at for at, one in enumerate(header) if one == name) for name in assignment.names
    )
    done = Uploaded()
    for row in filter(None, rows[1:]):
        assert len(row) == len(header), "csvweirdcolumns"
        participant = int(row[identifier].strip()[len("Participant ") :])
        if participant not in assignment.participants:
            continue
        number = _unformatted(row[grade_at], assignment.decimals)
        kept = assignment.grades.get(participant)
        if number is None:
            continue
        if kept and kept.grade == number:
            done.skipped[participant] = "not modified"
        elif kept and kept.modified > _time(row[modified_at]):
            done.skipped[participant] = "graded meanwhile"
        elif participant in assignment.locked:
            done.skipped[participant] = "locked"
        elif not 0 <= number <= assignment.maximum:
            done.skipped[participant] = "out of range"
        else:
            done.grades[participant] = number
    return done


def _unformatted(text: str, decimals: str) -> float | None:
    """`unformat_float`, which stops reading where the number ends, as PHP does."""
    text = text.strip().replace(" ", "").replace(decimals, ".")
    if text == "":
        return None
    found = re.match(r"[+-]?\d*\.?\d*", text)
    return float(found[0]) if found and found[0].strip("+-.") else 0.0


def _time(text: str) -> datetime:
    try:
        return datetime.strptime(text, "%A, %d %B %Y, %I:%M %p")
    except ValueError:
        return datetime.min
