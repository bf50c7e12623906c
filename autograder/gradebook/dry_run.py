"""Whose marks grading would move, and by how much; nothing is written but verdicts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from nbgrader.api import Assignment as GradebookAssignment
from nbgrader.api import Gradebook, MissingEntry, SubmittedAssignment
from sqlalchemy import Row, select

from autograder.course import Course
from autograder.gradebook.book import Graded, Ungraded
from autograder.gradebook.copying import handed_in_at
from autograder.gradebook.grade_class import graded
from autograder.gradebook.log import Change
from autograder.gradebook.logged import Logged
from autograder.gradebook.marked import score_of
from autograder.gradebook.rows import Rows, released
from autograder.gradebook.scores import grades_of, has_gradebook, open_gradebook
from autograder.notebooks.submitted import Submitted
from autograder.verdicts import Grader
from autograder.verdicts.totals import rounded
from autograder.verdicts.verdict import GRADER_ERROR, ExerciseVerdict

CENT = 0.005  # points below which two scores look the same to a reader


class Marks(NamedTuple):
    """Points that count, of how many; None where there are none yet, or none any more."""

    score: float | None
    worth: float | None


@dataclass(frozen=True)
class Moved:
    """How one exercise of one submission would move.

    Attributes:
        before: what counts now.
        after: what would count.
        why: what has changed, or why nothing is given; empty where that is not known.
    """

    before: Marks
    after: Marks
    why: str


@dataclass(frozen=True)
class Move:
    """What grading would do to one submission.

    Attributes:
        student: the student's id.
        assignment: the assignment's name.
        before: what counts of it now, late penalty included.
        after: what would count.
        exercises: those whose points would move, or what they are worth; by name.
        reason: a code why it would have no marks; None where it would be graded.
        detail: more about the reason.
        faults: its exercises of which judging failed by itself.
    """

    student: str
    assignment: str
    before: Marks
    after: Marks
    exercises: Mapping[str, Moved] = field(default_factory=dict)
    reason: str | None = None
    detail: str | None = None
    faults: tuple[str, ...] = ()

    @property
    def stops(self) -> bool:
        """Whether a person has to look: it would have no marks, or judging it has failed."""
        return self.reason is not None or bool(self.faults)

    @property
    def change(self) -> float:
        """Points that would be gained, or lost where it is below 0."""
        return rounded((self.after.score or 0.0) - (self.before.score or 0.0))

    @property
    def moves(self) -> bool:
        """Whether anything would be other than it is."""
        newly = (self.before.score is None) != (self.after.score is None)
        return bool(self.exercises) or newly or abs(self.change) > CENT


def dry_run(grader: Grader, submitted: Sequence[Submitted]) -> Iterator[Move]:
    """Grade submissions and compare what would count with what does; one move a submission."""
    books = {
        name: _Page(grader, name) for name in dict.fromkeys(one.assignment for one in submitted)
    }
    for batch in graded(grader, submitted):
        for one in batch:
            yield books[one.one.assignment].move(one)


def changed_in_course(grader: Grader, assignments: Sequence[str]) -> list[Change]:
    """What has changed of what marks rest on since the last grading, where the log knows it."""
    found = []
    for name in assignments:
        logged = Logged(grader.course, grader.course.assignment(name))
        found += [one for one in logged.changed_in_course(grader.parts(name)) if one.old]
    return found


class _Page:
    """One assignment in the gradebook, as it stands."""

    def __init__(self, grader: Grader, name: str) -> None:
        self._course: Course = grader.course
        self._assignment = grader.course.assignment(name)
        self._logged = Logged(grader.course, self._assignment)
        self._logged.changed_in_course(grader.parts(name))
        self._grades: dict[str, list[Row]] = {}
        self._worth: dict[str, float] = {}
        self._dates: dict[str, Row] = {}
        self._rows: Rows | None = None
        if has_gradebook(grader.course):
            with open_gradebook(grader.course) as gradebook:
                self._read(gradebook)

    def _read(self, gradebook: Gradebook) -> None:
        name = self._assignment.name
        try:
            self._rows = Rows(self._course, gradebook, released(gradebook, name))
        except MissingEntry:
            return
        self._grades = grades_of(gradebook, name, None)
        cells = gradebook.find_notebook(name, name).grade_cells
        self._worth = {cell.name: cell.max_score for cell in cells}
        dates = (
            select(
                SubmittedAssignment.student_id,
                SubmittedAssignment.timestamp,
                SubmittedAssignment.extension,
            )
            .join(GradebookAssignment)
            .where(GradebookAssignment.name == name)
        )
        self._dates = {row.student_id: row for row in gradebook.db.execute(dates)}

    def move(self, one: Graded | Ungraded) -> Move:
        """What grading would do to a submission."""
        student, name = one.one.student, one.one.assignment
        rows = {row.name: row for row in self._grades.get(student, ())}
        has_marks = any(
            row.auto_score is not None or row.manual_score is not None for row in rows.values()
        )
        before = self._before(student, rows) if has_marks else Marks(None, None)
        if isinstance(one, Ungraded):
            reason, detail = one.verdict.reason, one.verdict.detail
            return Move(student, name, before, Marks(None, None), reason=reason, detail=detail)
        whys = self._whys(one)
        exercises, scores = {}, []
        for found in one.verdict.exercises:
            declared = self._assignment.exercise(found.exercise)
            row = rows.get(declared.graded_cell)
            after = Marks(_counts(found, row), declared.nbgrader_points)
            scores.append(after.score or 0.0)
            standing = Marks(
                rounded(row.score) if row is not None and has_marks else None,
                self._worth.get(declared.graded_cell),
            )
            if _differ(standing, after):
                why = _why(found) or whys.get(found.exercise, "")
                exercises[found.exercise] = Moved(standing, after, why)
        whole = rounded(sum(scores))
        penalty = self._penalty(student, handed_in_at(one.one.folder), whole)
        after = Marks(max(0.0, rounded(whole - penalty)), self._assignment.max_points)
        faults = tuple(found.exercise for found in one.verdict.faults)
        return Move(student, name, before, after, exercises, faults=faults)

    def _before(self, student: str, rows: Mapping[str, Row]) -> Marks:
        score = sum(row.score for row in rows.values())
        score -= self._penalty(student, None, score)
        return Marks(max(0.0, rounded(score)), rounded(sum(self._worth.values())))

    def _penalty(self, student: str, handed_in: datetime | None, score: float) -> float:
        """What being late costs; at the time that the gradebook has, where there is no other."""
        if self._rows is None:
            return 0.0
        row = self._dates.get(student)
        at: datetime | None = handed_in or (row.timestamp if row else None)
        extension = row.extension if row else None
        return self._rows.penalty_with(student, at, score, extension)

    def _whys(self, one: Graded) -> dict[str, str]:
        try:
            return self._logged.changed_since(one.one.student, one.made_of)
        except OSError:  # marks move all the same; only the reason is not known
            return {}


def _counts(verdict: ExerciseVerdict, row: Row | None) -> float:
    """What would count: a person's mark stays, and so does what a person gave on top."""
    given = row.manual_score if row is not None else None
    score = score_of(verdict) if given is None else given
    return rounded((score or 0.0) + ((row.extra_credit or 0.0) if row is not None else 0.0))


def _differ(before: Marks, after: Marks) -> bool:
    pairs = zip(before, after, strict=True)
    return any((a is None) != (b is None) or abs((a or 0) - (b or 0)) > CENT for a, b in pairs)


def _why(verdict: ExerciseVerdict) -> str:
    """Why a verdict gives nothing, where that is no matter of the answer."""
    if verdict.reason == GRADER_ERROR:
        return f"judging it failed by itself, so its points wait: {verdict.detail}"
    return verdict.reason or ""
