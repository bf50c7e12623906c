"""The roster's names in nbgrader's rows of students, for formgrader to show.

Everyone who is expected gets a row, which makes nobody look as if they had handed in. A field is
filled where it is empty, or still holds what was filled in before, as `.autograder/names.json`
tells: what an instructor has written there stays.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.api import Gradebook, Student
from nbgrader.preprocessors import NbGraderPreprocessor
from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from autograder.checks.kit.plain_text import plain
from autograder.course import Course
from autograder.course.locks import locked
from autograder.course.roster import Person, read_roster

FIELDS = ("first_name", "last_name", "email")
LONGEST = 128  # characters, as nbgrader's columns have
TRIES = 3

NAMES = "names"
"""Where a page's resources hold them, beside nbgrader's own."""
Names = dict[str, str | None]
Converted = tuple[NotebookNode, ResourcesDict]


def enter_class(course: Course, gradebook: Gradebook) -> None:
    """Make and fill the rows of those whom the roster names; without one, leave all as it is."""
    if not course.roster.people:
        return
    for left in reversed(range(TRIES)):
        try:
            with locked(course.root, "names of students"):
                return _enter(course, gradebook)
        except IntegrityError:  # a grader on another machine has made one of them
            gradebook.db.rollback()
            if not left:
                raise


class ShowNames(NbGraderPreprocessor):
    """Tells a student's page the names that the roster has."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Converted:
        """Leave the notebook as it is."""
        names = resources["nbgrader"]
        roster = read_roster(Path(self.config.CourseDirectory.get("root", ".")))
        names[NAMES] = roster.names(names["student"])
        return nb, resources


def names_of(student: str, people: Sequence[Person]) -> Names:
    """What nbgrader's fields hold of those whose marks a submission's are; None for nothing.

    Of a group the last name is its id and the first name its members' names, since formgrader shows
    both, in this order.
    """
    emails = "; ".join(one.email for one in people if one.email)
    last, first = _split(people[0])
    if len(people) > 1 or people[0].id != student:
        last, first = student, "; ".join(one.name for one in people)
    email = emails if len(emails) <= LONGEST else None
    return {"first_name": _bounded(first), "last_name": _bounded(last), "email": email or None}


def _split(person: Person) -> tuple[str | None, str | None]:
    """Last and first name; a name without either is none."""
    if person.name == person.id:
        return None, None
    last, comma, first = person.name.partition(",")
    if not comma:
        first, _, last = person.name.rpartition(" ")
    return last.strip(), first.strip()


def _bounded(name: str | None) -> str | None:
    if name is None:
        return None
    return plain(name if len(name) <= LONGEST else name[: LONGEST - 1] + "…")


def _enter(course: Course, gradebook: Gradebook) -> None:
    roster, session = course.roster, gradebook.db
    wanted = {student: names_of(student, roster.members(student)) for student in roster.expected()}
    file = course.root / ".autograder" / "names.json"
    try:
        filled: dict[str, Names] = json.loads(file.read_bytes())
    except (OSError, ValueError):
        filled = {}
    columns = (Student.id, *(getattr(Student, name) for name in FIELDS))
    there = {
        row.id: dict(zip(FIELDS, row[1:], strict=True)) for row in session.execute(select(*columns))
    }
    changed = {
        student: {
            name: value
            for name, value in names.items()
            if value != there[student][name]
            and there[student][name] in (None, "", filled.get(student, {}).get(name))
        }
        for student, names in wanted.items()
        if student in there
    }
    changed = {student: names for student, names in changed.items() if names}
    missing = [
        {"id": student, **names} for student, names in wanted.items() if student not in there
    ]
    if missing:
        session.execute(insert(Student), missing)
    for student, names in changed.items():
        session.execute(update(Student).where(Student.id == student).values(**names))
    session.commit()
    if filled | wanted != filled:
        file.parent.mkdir(parents=True, exist_ok=True)
        unfinished = file.with_name(f".{file.name}")
        unfinished.write_text(json.dumps(filled | wanted), encoding="utf-8")
        unfinished.replace(file)
