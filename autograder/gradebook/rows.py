"""Grades of many submissions in one transaction, through nbgrader's own models.

The rows are those that `nbgrader autograde` writes, one submission and one cell at a time, with
`SaveAutoGrades`, our `SaveBonus` and `MarkPending`, and `AssignLatePenalties`.
"""

import json
import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from nbgrader.api import (
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    SourceCell,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy import func, select
from sqlalchemy.orm import selectinload

from autograder.course import Course
from autograder.gradebook.granted import Granted
from autograder.gradebook.pending import Pending, is_settled

log = logging.getLogger(__name__)

ROUNDING = 1e-9  # points by which a sum in the database may be another one than here


@dataclass(frozen=True)
class Entry:
    """What the gradebook is to hold of a graded submission.

    Attributes:
        student: who handed it in.
        handed_in: when, in UTC; None leaves what the gradebook says.
        scores: automatic scores by graded cell; None where a person's is waited for.
        comments: automatic comments by the cell of an answer; None takes an earlier one back.
        pending: what has no mark yet.
        reopened: graded cells whose marks by a person were given for another answer.
    """

    student: str
    handed_in: datetime | None
    scores: Mapping[str, float | None]
    comments: Mapping[str, str | None]
    pending: Sequence[Pending] = ()
    reopened: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Replaced:
    """What stood in the gradebook before a submission was written into it.

    Attributes:
        scores: its automatic scores by graded cell.
        penalty: what was taken off for being late; None for nothing.
        new_penalty: what is taken off now.
    """

    scores: Mapping[str, float | None]
    penalty: float | None
    new_penalty: float | None


@dataclass(frozen=True)
class Released:
    """An assignment as the gradebook knows it.

    Attributes:
        name: the assignment's.
        assignment: the id of its row.
        notebook: the id of its notebook's row.
        due: until when it may be handed in, in UTC; None where there is no such time.
        kernelspec: for the metadata of graded notebooks; None leaves theirs.
        sources: checksum of each cell by name, and its text where students may not change it.
        graded: ids of cells with points by name.
        answers: ids of cells that take an answer by name.
    """

    name: str
    assignment: str
    notebook: str
    due: datetime | None
    kernelspec: dict[str, Any] | None
    sources: Mapping[str, tuple[str, str | None]]
    graded: Mapping[str, str]
    answers: Mapping[str, str]


def released(gradebook: Gradebook, name: str) -> Released:
    """Read an assignment; MissingEntry where the gradebook has none of that name."""
    notebook = gradebook.find_notebook(name, name)
    sources: Iterable[SourceCell] = notebook.source_cells
    return Released(
        name,
        notebook.assignment_id,
        notebook.id,
        notebook.assignment.duedate,
        json.loads(notebook.kernelspec) if notebook.kernelspec else None,
        {
            one.name: (one.checksum, one.source if one.locked else None)
            for one in sorted(sources, key=lambda one: one.name)
        },
        dict(sorted((cell.name, cell.id) for cell in notebook.grade_cells)),
        dict(sorted((cell.name, cell.id) for cell in notebook.solution_cells)),
    )


@dataclass
class Rows:
    """Writes an assignment's grades.

    Args:
        course: gives the plugin for late submissions, and says who has an extension.
        gradebook: stays open as long as this is used.
        released: the assignment.
    """

    course: Course
    gradebook: Gradebook
    released: Released
    _late: AssignLatePenalties = field(init=False)
    _granted: Granted = field(init=False)

    def __post_init__(self) -> None:
        # nbgrader's indexes begin with the cell: asked for a notebook alone, a database reads all.
        self._is_graded = Grade.cell_id.in_(self.released.graded.values())
        self._is_answer = Comment.cell_id.in_(self.released.answers.values())
        self._late = AssignLatePenalties(config=self.course.config)
        self._late.init_plugin()
        self._granted = Granted(self.course, self.released.name, self.released.due)

    def write(self, entries: Sequence[Entry]) -> list[Replaced]:
        """Write all of them or, where anything is raised, none.

        Returns:
            of each what it has replaced.

        Raises:
            SQLAlchemyError: what the database said.
        """
        session = self.gradebook.db
        try:
            known = self._known([entry.student for entry in entries])
            self._add_students({entry.student for entry in entries} - known.keys())
            replaced = []
            for entry in entries:
                notebook = known.get(entry.student) or self._added(entry.student)
                replaced.append(self._fill(notebook, entry))
            session.commit()
        except BaseException:
            session.rollback()
            raise
        finally:
            session.remove()  # what was read is not kept: memory stays flat
        return replaced

    def unsettled(self, students: Collection[str] | None) -> list[str]:
        """Whose extension or late penalty would be another one by now; nothing is written.

        Args:
            students: those who are asked for; None for all.
        """
        session = self.gradebook.db
        total = (
            select(func.coalesce(func.sum(Grade.score), 0.0))
            .where(Grade.notebook_id == SubmittedNotebook.id, self._is_graded)
            .scalar_subquery()
        )
        query = (
            select(
                SubmittedAssignment.student_id,
                SubmittedAssignment.timestamp,
                SubmittedAssignment.extension,
                SubmittedNotebook.late_submission_penalty,
                total,
            )
            .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .where(SubmittedNotebook.notebook_id == self.released.notebook)
        )
        found = []
        for student, at, extension, penalty, score in session.execute(query).all():
            if students is not None and student not in students:
                continue
            allowed = self._granted.decided(student, extension)
            seconds = self._seconds_late(at, allowed)
            try:
                now = self._decided(student, score, seconds, allowed) if seconds > 0 else None
            except Exception as error:  # the course's plugin's: what is there stays
                log.warning("%s: no late penalty: %s: %s", student, type(error).__name__, error)
                continue
            if allowed != extension or abs((penalty or 0) - (now or 0)) > ROUNDING:
                found.append(student)
        session.remove()
        return found

    def penalise(self, students: Sequence[str]) -> dict[str, tuple[float | None, float | None]]:
        """Decide anew on extensions and late penalties of submissions whose marks stand.

        Returns:
            the penalties that have changed: before and now, by student.
        """
        session = self.gradebook.db
        changed = {}
        if students:
            for student, notebook in self._known(students).items():
                self._granted.apply(notebook.assignment)
                before = notebook.late_submission_penalty
                try:
                    now = notebook.late_submission_penalty = self._penalty(notebook, student)
                    if (before or 0) != (now or 0):
                        changed[student] = before, now
                except Exception as error:  # the course's plugin's: what is there stays
                    log.warning("%s: no late penalty: %s: %s", student, type(error).__name__, error)
            session.commit()
        session.remove()
        return changed

    def penalty_of(self, student: str, handed_in: datetime | None, score: float) -> float:
        """What being late would take off a hand-in of this score; nothing is written.

        Args:
            student: who handed it in.
            handed_in: when, in UTC; None where nothing tells, which is never late.
            score: its points.
        """
        query = select(SubmittedAssignment.extension).where(
            SubmittedAssignment.assignment_id == self.released.assignment,
            SubmittedAssignment.student_id == student,
        )
        extension = self.gradebook.db.scalars(query).one_or_none()
        self.gradebook.db.remove()
        return self.penalty_with(student, handed_in, score, extension)

    def penalty_with(
        self, student: str, handed_in: datetime | None, score: float, extension: timedelta | None
    ) -> float:
        """The same, where the extension in the gradebook is known; one that was granted counts."""
        allowed = self._granted.decided(student, extension)
        seconds = self._seconds_late(handed_in, allowed)
        return (self._decided(student, score, seconds, allowed) or 0.0) if seconds > 0 else 0.0

    def _decided(
        self, student: str, score: float, seconds: float, extension: timedelta | None
    ) -> float | None:
        self._late.due = self.released.due and self.released.due + (extension or timedelta(0))
        penalty = self._late.plugin_inst.late_submission_penalty(student, score, seconds)
        return None if penalty is None else min(max(penalty, 0), score)

    def scores(self) -> dict[str, dict[str, float | None]]:
        """Automatic scores of every submission of the assignment, by student and cell."""
        names = {key: name for name, key in self.released.graded.items()}
        query = (
            select(SubmittedAssignment.student_id, Grade.cell_id, Grade.auto_score)
            .join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
            .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
            .where(SubmittedNotebook.notebook_id == self.released.notebook, self._is_graded)
        )
        found: dict[str, dict[str, float | None]] = {}
        for student, cell, score in self.gradebook.db.execute(query):
            found.setdefault(student, {})[names[cell]] = score
        self.gradebook.db.remove()
        return found

    def _known(self, students: Sequence[str]) -> dict[str, SubmittedNotebook]:
        """The submissions that the gradebook has, whole."""
        query = (
            select(SubmittedNotebook)
            .join(SubmittedAssignment)
            .where(
                SubmittedNotebook.notebook_id == self.released.notebook,
                SubmittedAssignment.student_id.in_(students),
            )
            .options(
                selectinload(SubmittedNotebook.grades.and_(self._is_graded)),
                selectinload(SubmittedNotebook.comments.and_(self._is_answer)),
                selectinload(SubmittedNotebook.assignment),
            )
        )
        found = self.gradebook.db.scalars(query)
        return {notebook.assignment.student_id: notebook for notebook in found}

    def _add_students(self, names: set[str]) -> None:
        session = self.gradebook.db
        known = set(session.scalars(select(Student.id).where(Student.id.in_(names))))
        session.add_all(Student(id=name) for name in sorted(names - known))
        session.flush()

    def _added(self, student: str) -> SubmittedNotebook:
        """A submission with all rows that nbgrader gives it, none filled."""
        submission = SubmittedAssignment(assignment_id=self.released.assignment, student_id=student)
        notebook = SubmittedNotebook(notebook_id=self.released.notebook, assignment=submission)
        notebook.grades = [Grade(cell_id=cell) for cell in self.released.graded.values()]
        notebook.comments = [Comment(cell_id=cell) for cell in self.released.answers.values()]
        self.gradebook.db.add(submission)
        return notebook

    def _fill(self, notebook: SubmittedNotebook, entry: Entry) -> Replaced:
        grades = {grade.cell_id: grade for grade in notebook.grades}
        comments = {comment.cell_id: comment for comment in notebook.comments}
        graded, answers = self.released.graded, self.released.answers
        settled = {
            one.cell
            for one in entry.pending
            if one.cell not in entry.reopened
            and is_settled(one, grades[graded[one.cell]], comments[answers[one.answer]])
        }
        before = {name: grades[graded[name]].auto_score for name in entry.scores}
        penalty = notebook.late_submission_penalty
        for name, score in entry.scores.items():
            grade = grades[graded[name]]
            grade.auto_score = score
            grade.needs_manual_grade = score is None or grade.manual_score is not None
        for name, comment in entry.comments.items():
            comments[answers[name]].auto_comment = comment
        for one in entry.pending:
            grades[graded[one.cell]].needs_manual_grade = one.cell not in settled
            if one.note is not None:
                comments[answers[one.answer]].auto_comment = one.note
        if entry.handed_in is not None:
            notebook.assignment.timestamp = entry.handed_in
        self._granted.apply(notebook.assignment)
        notebook.late_submission_penalty = self._penalty(notebook, entry.student)
        return Replaced(before, penalty, notebook.late_submission_penalty)

    def _penalty(self, notebook: SubmittedNotebook, student: str) -> float | None:
        """The late penalty of a submission as it stands; None where there is none."""
        submission = notebook.assignment
        seconds = self._seconds_late(submission.timestamp, submission.extension)
        if seconds <= 0:
            return None
        session = self.gradebook.db
        session.flush()
        cells = select(BaseCell.id).where(BaseCell.notebook_id == self.released.notebook)
        total = select(func.coalesce(func.sum(Grade.score), 0.0)).where(
            Grade.notebook_id == notebook.id, Grade.cell_id.in_(cells)
        )
        score = session.scalars(total).one()
        return self._decided(student, score, seconds, submission.extension)

    def _seconds_late(self, handed_in: datetime | None, extension: timedelta | None) -> float:
        due = self.released.due
        if due is None or handed_in is None:
            return 0
        return (handed_in - due - (extension or timedelta(0))).total_seconds()
