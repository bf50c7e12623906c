"""How every submission of an assignment stands now, read without grading anything.

Marks are the gradebook's, with those that people gave; what was found is that of the verdicts which
the autograded notebooks' records name; who is expected stands in the roster.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from nbgrader.api import Assignment, Gradebook, MissingEntry, SubmittedAssignment
from sqlalchemy import Row, select

from autograder.course import Course
from autograder.course.roster import Person, Roster
from autograder.gradebook.copying import handed_in_at
from autograder.gradebook.granted import due_of, due_with
from autograder.gradebook.records import read_record
from autograder.gradebook.scores import grades_of
from autograder.gradebook.totals import settled
from autograder.marks.findings import Finding, Findings
from autograder.notebooks.submitted import Submitted, find_submitted
from autograder.verdicts import SubmissionVerdict
from autograder.verdicts.totals import ExerciseTotal, SubmissionTotal, rounded

Status = Literal["graded", "ungraded", "missing", "excused"]
NOT_YET = ("not_graded", "it was handed in, or has changed, since the last grading")


@dataclass(frozen=True)
class Standing:
    """How one submission stands, or that there is none.

    Attributes:
        student: the id that hands in: a student's, or a group's.
        assignment: the assignment's name.
        status: `ungraded` where something was handed in and has no marks; `missing` and `excused`
            where nothing was, of those whom the roster expects.
        people: whose marks these are.
        reason: a code why it is ungraded, else None.
        detail: more about the reason, for a person.
        handed_in: when; None where nothing tells.
        due: until when it could be handed in, with the student's extension; None for no end.
        total: what counts; None where it is not graded.
        findings: what grading found, by exercise; an exercise is missing where that is not known.
        verdicts: the identities of the verdicts, by exercise.
        notes: what was odd about what was handed in, in words.
        outdated: whether it was handed in again after it was graded.
    """

    student: str
    assignment: str
    status: Status
    people: tuple[Person, ...]
    reason: str | None = None
    detail: str | None = None
    handed_in: datetime | None = None
    due: datetime | None = None
    total: SubmissionTotal | None = None
    findings: Mapping[str, Finding] | None = None
    verdicts: Mapping[str, str] | None = None
    notes: tuple[str, ...] = ()
    outdated: bool = False


def standing_of(course: Course, assignments: Collection[str]) -> list[Standing]:
    """Every submission of assignments, and those that are missing; by assignment, then student.

    Args:
        course: the course.
        assignments: names; each is in the gradebook, or nothing of it is graded.
    """
    standings: list[Standing] = []
    with settled(course, assignments) as gradebook:
        for name in assignments:
            standings += _Reader(course, gradebook, name).read()
    return standings


def standing_of_one(course: Course, assignment: str, student: str) -> Standing:
    """How one student's submission of an assignment stands, or that there is none."""
    with settled(course, [assignment]) as gradebook:
        return _Reader(course, gradebook, assignment).read_one(student)


def keep_findings(course: Course, verdicts: Sequence[SubmissionVerdict]) -> None:
    """Keep what a run has found of whole submissions: reasons, and verdicts that are not stored."""
    for name in dict.fromkeys(one.assignment for one in verdicts):
        here = [one for one in verdicts if one.assignment == name]
        findings = Findings(course, name)
        everyone = find_submitted(course.folder("submitted"), [name])
        named = {one.student: record.verdicts for one, record in _records(course, everyone)}
        findings.learn(here, named)
        findings.keep(key for keys in named.values() for key in keys.values())


def _records(course: Course, submitted: Iterable[Submitted]) -> list:
    found = ((one, read_record(course, one)) for one in submitted)
    return [(one, record) for one, record in found if record is not None]


class _Reader:
    """Reads one assignment."""

    def __init__(self, course: Course, gradebook: Gradebook, assignment: str) -> None:
        self._course, self._gradebook = course, gradebook
        self._assignment = course.assignment(assignment)
        self._roster: Roster = course.roster
        self._findings = Findings(course, assignment)
        self._cells = {one.graded_cell: one.name for one in self._assignment.exercises}
        self._due_date = due_of(course, gradebook, assignment)

    def read(self) -> list[Standing]:
        """How everyone stands who handed in, is in the gradebook, or is expected."""
        name = self._assignment.name
        submitted = {
            one.student: one for one in find_submitted(self._course.folder("submitted"), [name])
        }
        rows, grades = self._submissions(), self._grades()
        everyone = sorted({*submitted, *rows, *self._roster.expected()})
        used: list[str] = []
        standings = []
        for student in everyone:
            one = self._one(student, submitted.get(student), rows.get(student), grades)
            used += (one.verdicts or {}).values()
            standings.append(one)
        self._findings.keep(used)
        return standings

    def read_one(self, student: str) -> Standing:
        """How one student stands."""
        folder = self._course.folder("submitted")
        found = find_submitted(folder, [self._assignment.name], [student])
        row = self._submissions().get(student)
        return self._one(student, found[0] if found else None, row, self._grades({student}))

    def _one(
        self,
        student: str,
        submitted: Submitted | None,
        row: Row | None,
        grades: Mapping[str, list[Row]],
    ) -> Standing:
        name = self._assignment.name
        people = self._roster.members(student)
        due = self._due(student, row)
        graded = grades.get(student, [])
        if not any(
            grade.auto_score is not None or grade.manual_score is not None for grade in graded
        ):
            if submitted is None:
                return without_submission(self._course, student, name, self._due_date)
            if not graded or self._findings.why_ungraded(student):
                reason, detail = self._findings.why_ungraded(student) or NOT_YET
                at = handed_in_at(submitted.folder)
                return Standing(
                    student, name, "ungraded", people, reason, detail, _aware(self._course, at), due
                )
        at = row.timestamp if row is not None else None
        record = read_record(self._course, submitted) if submitted is not None else None
        verdicts = dict(record.verdicts) if record else {}
        found = {key: self._findings.find(one) for key, one in verdicts.items()}
        findings = {key: one for key, one in found.items() if one is not None}
        return Standing(
            student,
            name,
            "graded",
            people,
            handed_in=_aware(self._course, at),
            due=due,
            total=self._total(graded, findings),
            findings=findings,
            verdicts=verdicts,
            notes=record.notes if record else (),
            outdated=submitted is not None and _is_later(handed_in_at(submitted.folder), at),
        )

    def _total(self, rows: Sequence[Row], findings: Mapping[str, Finding]) -> SubmissionTotal:
        exercises = {}
        for row in rows:
            name = self._cells.get(row.name, row.name)
            exercises[name] = ExerciseTotal(
                score=rounded(row.score),
                auto_score=row.auto_score,
                manual_score=row.manual_score,
                extra_credit=row.extra_credit or 0.0,
                pending_points=rounded(self._pending(row, name, findings)),
            )
        ordered = {
            one.name: exercises[one.name]
            for one in self._assignment.exercises
            if one.name in exercises
        }
        penalty = rows[0].late_submission_penalty if rows else None
        return SubmissionTotal(ordered, penalty or 0.0)

    def _pending(self, row: Row, name: str, findings: Mapping[str, Finding]) -> float:
        """What is still to be given; all that was not, where no verdict says how much waits."""
        if not row.needs_manual_grade:
            return 0.0
        if name in findings:
            return findings[name].pending_points
        worth = self._assignment.exercise(name).points if self._assignment.has(name) else 0.0
        return max(0.0, worth - (row.score or 0.0))

    def _submissions(self) -> dict[str, Row]:
        query = (
            select(
                SubmittedAssignment.student_id,
                SubmittedAssignment.timestamp,
                SubmittedAssignment.extension,
            )
            .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
            .where(Assignment.name == self._assignment.name)
        )
        return {row.student_id: row for row in self._gradebook.db.execute(query)}

    def _grades(self, students: Collection[str] | None = None) -> dict[str, list[Row]]:
        try:
            return grades_of(self._gradebook, self._assignment.name, students)
        except MissingEntry:
            return {}

    def _due(self, student: str, row: Row | None) -> datetime | None:
        granted = self._roster.extensions.get((student, self._assignment.name))
        if granted and granted.until:
            return due_with(self._due_date, granted)
        if self._due_date is None or row is None or row.extension is None:
            return self._due_date
        return self._due_date + row.extension


def without_submission(
    course: Course, student: str, assignment: str, due: datetime | None
) -> Standing:
    """How one stands who has handed in nothing.

    Args:
        course: says who is excused, and who has an extension.
        student: the id that would hand in.
        assignment: the assignment's name.
        due: until when it is handed in without an extension.
    """
    granted = course.roster.extensions.get((student, assignment))
    status: Status = "excused" if course.roster.is_excused(student, assignment) else "missing"
    people = course.roster.members(student)
    return Standing(student, assignment, status, people, due=due_with(due, granted))


def _is_later(moment: datetime | None, other: datetime | None) -> bool:
    return moment is not None and (other is None or moment > other)


def _aware(course: Course, moment: datetime | None) -> datetime | None:
    """A moment of nbgrader's, which is in UTC without saying so, as the course's clocks show it."""
    return None if moment is None else moment.replace(tzinfo=UTC).astimezone(course.zone)
