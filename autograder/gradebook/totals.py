"""What the gradebook says of submissions: marks by hand, extra credit and late penalties."""

from collections.abc import Collection, Sequence
from itertools import groupby

from nbgrader.api import BaseCell, Grade, Gradebook, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import Row, select

from autograder.course import Course
from autograder.gradebook.scores import open_gradebook
from autograder.verdicts import SubmissionVerdict
from autograder.verdicts.totals import ExerciseTotal, SubmissionTotal, automatic, rounded

FEW = 500  # students who are asked for by name; for more of them a whole assignment is read


def totals_of(course: Course, verdicts: Sequence[SubmissionVerdict]) -> list[SubmissionTotal]:
    """What counts of each submission; one query an assignment reads it.

    Args:
        course: the course.
        verdicts: those on the submissions, sorted by assignment.
    """
    totals: list[SubmissionTotal] = []
    with open_gradebook(course) as gradebook:
        for name, group in groupby(verdicts, lambda verdict: verdict.assignment):
            here = list(group)
            found = grades_of(gradebook, name, {verdict.student for verdict in here})
            cells = {one.graded_cell: one.name for one in course.assignment(name).exercises}
            totals += [_total(one, found.get(one.student, []), cells) for one in here]
    return totals


def grades_of(
    gradebook: Gradebook, name: str, students: Collection[str] | None
) -> dict[str, list[Row]]:
    """The grades of an assignment's submissions, by student.

    Args:
        gradebook: the course's.
        name: the assignment's name.
        students: whose grades are wanted, None for all; those of others may come with them.
    """
    notebook = gradebook.find_notebook(name, name).id
    # By cell, since nbgrader's indexes begin with it: a class has thousands of grades.
    cells = select(BaseCell.id).where(BaseCell.notebook_id == notebook)
    query = (
        select(
            SubmittedAssignment.student_id,
            SubmittedNotebook.late_submission_penalty,
            BaseCell.name,
            Grade.score,
            Grade.auto_score,
            Grade.manual_score,
            Grade.extra_credit,
            Grade.needs_manual_grade,
        )
        .join(BaseCell, BaseCell.id == Grade.cell_id)
        .join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .where(SubmittedNotebook.notebook_id == notebook, Grade.cell_id.in_(cells))
    )
    if students is not None and len(students) <= FEW:
        query = query.where(SubmittedAssignment.student_id.in_(students))
    found: dict[str, list[Row]] = {}
    for row in gradebook.db.execute(query):
        found.setdefault(row.student_id, []).append(row)
    return found


def _total(
    verdict: SubmissionVerdict, rows: Sequence[Row], cells: dict[str, str]
) -> SubmissionTotal:
    """What the gradebook says of a submission, or grading where it has none.

    Args:
        verdict: says how many points wait, where the gradebook says that a cell waits.
        rows: the submission's grades.
        cells: the exercises' names by their graded cells.
    """
    pending = {one.exercise: one.pending_points for one in verdict.exercises}
    exercises = dict(automatic(verdict).exercises)
    for row in rows:
        name = cells.get(row.name, row.name)
        exercises[name] = ExerciseTotal(
            score=rounded(row.score),
            auto_score=row.auto_score,
            manual_score=row.manual_score,
            extra_credit=row.extra_credit or 0.0,
            pending_points=rounded(pending.get(name, 0.0)) if row.needs_manual_grade else 0.0,
        )
    penalty = rows[0].late_submission_penalty if rows else None
    return SubmissionTotal(exercises, penalty or 0.0)
