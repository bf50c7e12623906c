"""Who is in the class: `roster.csv` and `extensions.csv`, beside course_config.py.

A group hands in under one id, which is nbgrader's student; its marks are those of all its members.
"""

import csv
import io
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, tzinfo
from functools import cached_property
from pathlib import Path

from autograder.course.errors import CourseError, did_you_mean

ROSTER, EXTENSIONS = "roster.csv", "extensions.csv"
EXCUSED = "excused"
DAY = re.compile(r"\d{4}-?\d\d-?\d\d")


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
        extensions: by the id that hands in, and the assignment's name; an excuse by a person's own.

    """

    people: Mapping[str, Person]
    extensions: Mapping[tuple[str, str], Extension]

    def members(self, student: str) -> tuple[Person, ...]:
        """Whose marks a submission's are: the group's members, or the one who hands in alone."""
        return self._members.get(student) or (Person(student, student),)

    def names(self, student: str) -> str:
        """Whose marks they are, by name; empty where the roster tells no more than the id."""
        found = [one.name for one in self.members(student)]
        return "" if found == [student] else "; ".join(found)

    def expected(self) -> list[str]:
        """The ids that hand in: groups, and those who work alone."""
        return list(self._members)

    def hands_in_as(self, student: str) -> str:
        """The id under which a person of the class hands in; any other id is its own."""
        person = self.people.get(student)
        return student if person is None else person.group or person.id

    def is_excused(self, student: str, assignment: str) -> bool:
        """Whether nothing need be handed in by this id; by a group's, where all its members are."""
        ids = [student], [one.id for one in self.members(student)]
        granted = ([self.extensions.get((one, assignment)) for one in each] for each in ids)
        return any(all(one is not None and one.excused for one in each) for each in granted)

    @cached_property
    def _members(self) -> dict[str, tuple[Person, ...]]:
        found: dict[str, list[Person]] = {}
        for one in self.people.values():
            found.setdefault(one.group or one.id, []).append(one)
        return {student: tuple(people) for student, people in found.items()}


NOBODY = Roster({}, {})
"""What a course without a roster has."""


def plain_id(name: str) -> str:
    """An id with each accented letter as one character, as most keyboards write it.

    macOS may write two in a folder's name. A character that only looks like another, such as the
    sign for Kelvin, stays what it is: it must not make one student another.
    """
    plain = unicodedata.normalize("NFC", name)
    singly = all(unicodedata.normalize("NFC", letter) == letter for letter in name)
    return plain if singly else name


def spellings(folder: Path) -> Mapping[str, str]:
    """How folders of students spell ids, where that is not the plain way: by the plain id.

    Args:
        folder: `submitted/`. Where two of its folders have one plain id, neither stands for it.
    """
    try:
        there = os.listdir(folder)
    except OSError:
        return {}
    found = {plain_id(name): name for name in there if plain_id(name) != name}
    many = Counter(plain_id(name) for name in there)
    return {plain: name for plain, name in found.items() if many[plain] == 1}


def spelled(roster: Roster, as_there: Mapping[str, str]) -> Roster:
    """The roster with its ids as folders spell them, so that they are the same texts everywhere."""
    if not as_there:
        return roster

    def there(plain: str) -> str:
        return as_there.get(plain, plain)

    people = [
        replace(
            one,
            id=there(one.id),
            name=there(one.name) if one.name == one.id else one.name,
            group=there(one.group),
        )
        for one in roster.people.values()
    ]
    extensions = {(there(who), name): one for (who, name), one in roster.extensions.items()}
    return Roster({one.id: one for one in people}, extensions)


def read_roster(
    root: Path, assignments: Collection[str] | None = None, zone: tzinfo | None = None
) -> Roster:
    """Read both files of a course's folder; one that is not there says nothing.

    Args:
        root: the course's folder.
        assignments: the names that extensions may be for; None for any.
        zone: whose times are meant that have no zone; None for this machine's.

    Raises:
        CourseError: a file is no such table; the text names the line.
    """
    people: dict[str, Person] = {}
    for line, row in _rows(root / ROSTER, ("id",), ("name", "email", "section", "group")):
        where = f"{root / ROSTER}, line {line}"
        if not row["id"]:
            raise CourseError(f"{where}: {row['name'] or 'this student'} has no id.")
        if row["id"] in people:
            raise CourseError(f"{where}: {row['id']!r} is there twice.")
        people[row["id"]] = Person(
            row["id"], row["name"] or row["id"], row["email"], row["section"], row["group"]
        )
    roster = Roster(people, {})
    extensions = {}
    for line, row in _rows(root / EXTENSIONS, ("student", "assignment", "until"), ()):
        where = f"{root / EXTENSIONS}, line {line}"
        assignment = row["assignment"]
        if assignments is not None and assignment not in assignments:
            near = did_you_mean(assignment, assignments)
            raise CourseError(f"{where}: there is no assignment {assignment!r}.{near}")
        extension = _extension(where, row["until"], zone)
        # An excuse is a person's own; a later day is that of the submission, which is the group's.
        student = row["student"] if extension.excused else roster.hands_in_as(row["student"])
        if (student, assignment) in extensions:
            raise CourseError(f"{where}: {student!r} has a line for {assignment} already.")
        extensions[student, assignment] = extension
    return Roster(people, extensions)


def _extension(where: str, until: str, zone: tzinfo | None) -> Extension:
    """What a line grants; a day alone is meant with all its hours."""
    if until.lower() == EXCUSED:
        return Extension(excused=True)
    try:
        moment = datetime.fromisoformat(until)
    except ValueError as error:
        raise CourseError(
            f"{where}: until is a time such as 2026-12-01T18:00, or {EXCUSED!r}; it is {until!r}."
        ) from error
    if DAY.fullmatch(until):
        moment = datetime.combine(moment, time.max)
    here = moment.astimezone() if moment.tzinfo or zone is None else moment.replace(tzinfo=zone)
    return Extension(here)


def _rows(
    path: Path, needed: Sequence[str], also: Sequence[str]
) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a table with their lines, each with all columns, empty where not filled."""
    if not path.is_file():
        return
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CourseError(
            f"{path} is not in UTF-8. In Excel, save it as *CSV UTF-8*; elsewhere choose UTF-8."
        ) from error
    text = unicodedata.normalize("NFC", text)  # as most folders' names are; see `spellings`
    head = text.partition("\n")[0]
    between = max(",;\t", key=head.count)  # a spreadsheet writes `;` where a comma is decimal
    table = csv.DictReader(io.StringIO(text, newline=""), delimiter=between)
    try:
        names = [name.strip().lower() for name in table.fieldnames or ()]
        table.fieldnames = names
        for name in needed:
            if name not in names:
                near = did_you_mean(name, names)
                raise CourseError(f"{path} has no column {name!r}.{near} It has: {names}.")
        for row in table:
            if None in row:
                raise CourseError(
                    f"{path}, line {table.line_num}: there are more cells than columns. Text that "
                    f"holds {between!r} stands in quotation marks."
                )
            found = {name: (row.get(name) or "").strip() for name in (*needed, *also)}
            if any(found.values()):
                yield table.line_num, found
    except csv.Error as error:
        raise CourseError(f"{path}, line {table.line_num}: {error}.") from error
