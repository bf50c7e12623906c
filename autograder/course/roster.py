"""Who is in the class: `roster.csv` and `extensions.csv`, beside course_config.py.

A group hands in under one id, which is nbgrader's student; its marks are those of all its members.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from autograder.course.errors import CourseError, did_you_mean

ROSTER, EXTENSIONS = "roster.csv", "extensions.csv"
EXCUSED = "excused"


@dataclass(frozen=True)
class Person:
    """One student of the class.

    Attributes:
        id: the name of the folder in submitted/, unless a group hands in.
        name: as it stands on pages; the id where the roster has none.
        email: empty where the roster has none.
        section: empty where there are none.
        group: the id under which the person's group hands in; empty for who works alone.
    """

    id: str
    name: str
    email: str = ""
    section: str = ""
    group: str = ""


@dataclass(frozen=True)
class Extension:
    """What was granted to a student for one assignment.

    Attributes:
        until: when it is due for this student, with a time zone; None where that is not changed.
        excused: whether it need not be handed in at all.
    """

    until: datetime | None = None
    excused: bool = False


@dataclass(frozen=True)
class Roster:
    """The class, as far as the course says; without a roster nobody is known, and nobody missing.

    Attributes:
        people: by id, in the order of the file.
        extensions: by the id that hands in, and the assignment's name.
    """

    people: Mapping[str, Person]
    extensions: Mapping[tuple[str, str], Extension]

    def members(self, student: str) -> tuple[Person, ...]:
        """Whose marks a submission's are: the group's members, or the one who hands in alone."""
        found = tuple(one for one in self.people.values() if (one.group or one.id) == student)
        return found or (Person(student, student),)

    def expected(self) -> list[str]:
        """The ids that hand in: groups, and those who work alone."""
        return list(dict.fromkeys(one.group or one.id for one in self.people.values()))


def read_roster(root: Path) -> Roster:
    """Read both files of a course's folder; one that is not there says nothing.

    Raises:
        CourseError: a file is no such table; the text names the line.
    """
    people: dict[str, Person] = {}
    for line, row in _rows(root / ROSTER, ("id",), ("name", "email", "section", "group")):
        if row["id"] in people:
            raise CourseError(f"{root / ROSTER}, line {line}: {row['id']!r} is there twice.")
        people[row["id"]] = Person(
            row["id"], row["name"] or row["id"], row["email"], row["section"], row["group"]
        )
    extensions = {}
    for line, row in _rows(root / EXTENSIONS, ("student", "assignment", "until"), ()):
        extensions[row["student"], row["assignment"]] = _extension(root, line, row["until"])
    return Roster(people, extensions)


def _extension(root: Path, line: int, until: str) -> Extension:
    if until.lower() == EXCUSED:
        return Extension(excused=True)
    try:
        return Extension(datetime.fromisoformat(until).astimezone())
    except ValueError as error:
        raise CourseError(
            f"{root / EXTENSIONS}, line {line}: until is a time such as 2026-12-01T18:00, or "
            f"{EXCUSED!r}; it is {until!r}."
        ) from error


def _rows(
    path: Path, needed: Sequence[str], also: Sequence[str]
) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a table with their lines, each with all columns, empty where not filled."""
    if not path.is_file():
        return
    with path.open(encoding="utf-8-sig", newline="") as file:
        table = csv.DictReader(file)
        names = [name.strip().lower() for name in table.fieldnames or ()]
        table.fieldnames = names
        for name in needed:
            if name not in names:
                near = did_you_mean(name, names)
                raise CourseError(f"{path} has no column {name!r}.{near} It has: {names}.")
        for row in table:
            found = {name: (row.get(name) or "").strip() for name in (*needed, *also)}
            if any(found.values()):
                yield table.line_num, found
