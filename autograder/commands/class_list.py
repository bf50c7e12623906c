"""What `autograder grade` says of the class beside its marks: who is missing, who is who."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from autograder.checks.kit.plain_text import plain
from autograder.course.errors import did_you_mean
from autograder.course.moments import in_words
from autograder.course.roster import EXTENSIONS, ROSTER, Person, Roster
from autograder.notebooks.misplaced import Misplaced

if TYPE_CHECKING:
    from autograder.marks import Standing

FEW = 5  # names that are told of many


def with_class(
    contract: dict[str, Any],
    roster: Roster,
    absent: Sequence["Standing"],
    misplaced: Sequence[Misplaced],
) -> dict[str, Any]:
    """What `--json` has, with whose marks they are, who has none, and what lies nowhere.

    Args:
        contract: what `verdicts.contract.as_contract` gives.
        roster: the class.
        absent: who handed in nothing.
        misplaced: what lies under submitted/ and is no submission.
    """
    submissions = [
        one | {"people": as_json(roster.members(one["student"]))} for one in contract["submissions"]
    ]
    return contract | {
        "submissions": submissions,
        "absent": [
            {
                "student": one.student,
                "assignment": one.assignment,
                "status": one.status,
                "due": one.due.isoformat() if one.due else None,
                "people": as_json(one.people),
            }
            for one in absent
        ],
        "misplaced": [{"path": one.path, "why": one.why, "near": one.near} for one in misplaced],
    }


def as_json(people: Iterable[Person]) -> list[dict[str, str]]:
    """People as JSON values."""
    return [
        {"id": one.id, "name": one.name, "email": one.email, "section": one.section}
        for one in people
    ]


def why_absent(one: "Standing") -> str:
    """What is known of somebody who handed in nothing."""
    if one.status == "excused" or one.due is None:
        return ""
    return f"due {in_words(one.due, one.due.tzinfo)}"


def absences(statuses: Iterable[str]) -> list[tuple[str, int]]:
    """How many are missing and excused; nothing of what nobody is."""
    found = Counter(statuses)
    return [(status, found[status]) for status in ("missing", "excused") if found[status]]


def told_misplaced(misplaced: Sequence[Misplaced]) -> list[str]:
    """What lies in no assignment's folder, a line for each name that it has."""
    groups: dict[tuple[str, str, str], list[str]] = {}
    for one in misplaced:
        groups.setdefault((one.name, one.why, one.near), []).append(one.student)
    lines = []
    for (name, why, near), students in groups.items():
        place = f"{students[0]}/{name}" if students[0] else name
        more = f" and {len(students) - 1} more like it" if len(students) > 1 else ""
        meant = f" Is {near} meant?" if near else ""
        lines.append(plain(f"Not graded: submitted/{place}{more}: {why}.{meant}"))
    return lines


def oddities(roster: Roster, students: Iterable[str]) -> list[str]:
    """Where what was handed in and the roster do not agree, in words.

    Args:
        roster: the class; without one there is nothing to say.
        students: who handed in.
    """
    if not roster.people:
        return []
    expected = set(roster.expected())
    notes = []
    unknown = sorted(set(students) - expected)
    for student in (one for one in unknown if one in roster.people):
        group = roster.people[student].group
        notes.append(f"{student} hands in as {group}, says {ROSTER}, and has handed in alone.")
    strangers = [one for one in unknown if one not in roster.people]
    if strangers:
        notes.append(f"{ROSTER} does not have {_few(strangers, expected)}.")
    granted = sorted({one for one, _ in roster.extensions} - expected - roster.people.keys())
    if granted:
        notes.append(f"{EXTENSIONS} names {_few(granted, expected)}, whom {ROSTER} does not have.")
    return [plain(note) for note in notes]


def _few(students: Sequence[str], known: Iterable[str]) -> str:
    """The first of them, with whom may be meant, and how many more there are."""
    told = [f"{one!r}{_near(one, known)}" for one in students[:FEW]]
    more = len(students) - FEW
    return ", ".join(told) + (f" and {more} more" if more > 0 else "")


def _near(student: str, known: Iterable[str]) -> str:
    near = did_you_mean(student, known).strip()
    return f" ({near[0].lower()}{near[1:]})" if near else ""
