"""What every student gets for every assignment: a group's marks are those of all its members."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Literal

from nbgrader.api import Assignment as Row
from sqlalchemy import select

from autograder.course import Course, CourseError
from autograder.course.assignments import Assignment
from autograder.course.errors import did_you_mean
from autograder.course.roster import Person
from autograder.export.choices import Choices
from autograder.export.numbers import written
from autograder.export.wording import listed
from autograder.gradebook.scores import open_gradebook
from autograder.marks.standing import Standing, Status, standing_of
from autograder.notebooks.submitted import find_submitted
from autograder.verdicts.totals import ExerciseTotal

LeftOut = Literal["missing", "excused", "pending"]


@dataclass(frozen=True)
class Mark:
    """What one student gets for one assignment.

    Attributes:
        person: the student.
        assignment: the assignment.
        standing: how the submission stands, the student's own or the group's.
        score: the points to export, penalties and bonus included; None where none are.
        left_out: why none are; None where some are.
    """

    person: Person
    assignment: Assignment
    standing: Standing
    score: float | None
    left_out: LeftOut | None

    @property
    def status(self) -> Status:
        """How it stands for this student: excused, too, from what the group did not hand in."""
        return "excused" if self.left_out == "excused" else self.standing.status

    @property
    def exercises(self) -> Mapping[str, ExerciseTotal]:
        """What counts of each exercise, by name; empty where nothing is graded."""
        return self.standing.total.exercises if self.standing.total else {}

    @property
    def pending_points(self) -> float:
        """The points that are still to be given: all, of what was handed in and has no marks."""
        return _pending(self.standing, self.assignment)


def handed_in(course: Course) -> list[str]:
    """The assignments of which anything was handed in, in the course's order."""
    with open_gradebook(course) as gradebook:
        known = set(gradebook.db.scalars(select(Row.name).where(Row.submissions.any())))
    known |= {one.assignment for one in find_submitted(course.folder("submitted"), course.sources)}
    return [name for name in course.sources if name in known]


def marks_of(
    course: Course, names: Collection[str], choices: Choices, students: Collection[str] = ()
) -> list[Mark]:
    """The marks of students, by assignment in the order given, then in the roster's order.

    Args:
        course: the course.
        names: the assignments.
        choices: what an instructor said of marks that are not plain.
        students: ids of students or groups; everyone where empty.

    Raises:
        CourseError: points are pending and nobody said what that means, somebody has two marks for
            one assignment, or the gradebook's maximum is not the course's.
    """
    now = datetime.now(UTC)
    assignments = {name: course.assignment(name) for name in names}
    _refuse_other_maximum(course, assignments.values())
    order = {one: index for index, one in enumerate(course.roster.people)}
    marks: list[Mark] = []
    for name, group in groupby(standing_of(course, list(assignments)), lambda one: one.assignment):
        found = _by_person(course, group)
        found.sort(key=lambda one: (order.get(one[0].id, len(order)), one[0].id))
        for person, standing in found:
            excused = course.roster.is_excused(person.id, name)
            marks.append(_mark(person, assignments[name], standing, excused, choices, now))
    if students:
        _refuse_unknown(students, marks)
        wanted = set(students)
        marks = [one for one in marks if wanted & {one.person.id, one.standing.student}]
    if choices.pending == "refuse":
        _refuse_pending([one for one in marks if one.pending_points])
    return marks


def _by_person(course: Course, standings: Iterable[Standing]) -> list[tuple[Person, Standing]]:
    """Each student with the one submission that is theirs, of one assignment."""
    found: dict[str, list[Standing]] = {}
    people: dict[str, Person] = {}
    for standing in standings:
        for person in standing.people:
            people[person.id] = course.roster.people.get(person.id, person)
            found.setdefault(person.id, []).append(standing)
    twice = []
    for student, theirs in found.items():
        real = [one for one in theirs if one.status in ("graded", "ungraded")]
        if len(real) > 1:
            twice.append(f"{student} by {' and '.join(one.student for one in real)}")
        found[student] = real or sorted(theirs, key=lambda one: one.status != "excused")
    if twice:
        name = next(iter(found.values()))[0].assignment
        raise CourseError(
            f"{name} was handed in twice for one student, alone and in a group: {listed(twice)}. "
            "Move the folder that does not count out of submitted/, or mend roster.csv."
        )
    return [(people[student], theirs[0]) for student, theirs in found.items()]


def _mark(
    person: Person,
    assignment: Assignment,
    standing: Standing,
    excused: bool,
    choices: Choices,
    now: datetime,
) -> Mark:
    score: float | None = None
    left_out: LeftOut | None = None
    if standing.status in ("missing", "excused"):
        left_out = "excused" if excused or standing.status == "excused" else "missing"
        overdue = standing.due is None or standing.due < now
        if left_out == "missing" and choices.missing == "zero" and overdue:
            score, left_out = 0.0, None
    elif _pending(standing, assignment) and choices.pending == "omit":
        left_out = "pending"
    else:
        score = standing.total.score if standing.total else 0.0
    return Mark(person, assignment, standing, score, left_out)


def _pending(standing: Standing, assignment: Assignment) -> float:
    if standing.status == "ungraded":
        return assignment.max_points
    return standing.total.pending_points if standing.total else 0.0


def _refuse_pending(pending: Sequence[Mark]) -> None:
    if pending:
        waiting = [
            f"{one.person.id}, {one.assignment.name}: "
            + (
                f"not graded ({one.standing.reason})"
                if one.standing.status == "ungraded"
                else f"{written(one.pending_points)} points wait"
            )
            for one in pending
        ]
        raise CourseError(
            f"{len(pending)} marks are not whole yet: {listed(waiting)}. Grade them, or say what "
            "is meant: --pending zero exports the points given so far, --pending omit leaves these "
            "marks out."
        )


def _refuse_unknown(students: Collection[str], marks: Sequence[Mark]) -> None:
    known = {one.person.id for one in marks} | {one.standing.student for one in marks}
    for student in students:
        if student not in known:
            raise CourseError(f"There is no student {student!r}.{did_you_mean(student, known)}")


def _refuse_other_maximum(course: Course, assignments: Iterable[Assignment]) -> None:
    with open_gradebook(course) as gradebook:
        found = gradebook.db.execute(select(Row.name, Row.max_score))
        kept = {row.name: row.max_score for row in found}
    for one in assignments:
        if abs(kept.get(one.name, one.max_points) - one.max_points) > 1e-6:
            raise CourseError(
                f"{one.name} is worth {one.max_points:g} points in its notebook and "
                f"{kept[one.name]:g} in the gradebook: run `autograder grade {one.name}` first."
            )
