"""What the gradebook says of submissions: marks by hand, extra credit and late penalties.

nbgrader keeps a late penalty as points, decided when it graded: it is stale as soon as a person
gives marks or an extension, or moves a due date. So whoever reads marks here has it decided anew.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import NbGraderPreprocessor
from sqlalchemy import Row

from autograder.course import Course, load_course
from autograder.gradebook.granted import enter_due_dates
from autograder.gradebook.lateness import times_of
from autograder.gradebook.logged import Logged
from autograder.gradebook.rows import Rows, released
from autograder.gradebook.scores import grades_of, open_gradebook
from autograder.gradebook.stages import assigns_penalties
from autograder.verdicts import SubmissionVerdict
from autograder.verdicts.totals import ExerciseTotal, SubmissionTotal, automatic, rounded

TIMES = "times"
"""Where a page's resources hold when it was due and handed in, beside nbgrader's own."""


@contextmanager
def settled(course: Course, assignments: Collection[str]) -> Iterator[Gradebook]:
    """The course's gradebook, for whoever reads marks: late penalties are those of this moment."""
    with open_gradebook(course) as gradebook:
        settle(course, gradebook, assignments)
        yield gradebook


def settle(
    course: Course,
    gradebook: Gradebook,
    assignments: Collection[str],
    students: Collection[str] | None = None,
) -> None:
    """Write and log the late penalties that are not as they should be by now.

    Args:
        course: says what is due, and what was granted to whom.
        gradebook: the course's.
        assignments: names; one that is not registered is left out.
        students: those who are asked for; None for all.
    """
    if not assigns_penalties(course.config):
        return
    enter_due_dates(course, gradebook, assignments)
    for name in assignments:
        try:
            rows = Rows(course, gradebook, released(gradebook, name))
        except MissingEntry:
            continue
        if changed := rows.unsettled(students):
            logged = Logged(course, course.assignment(name))
            logged.notice(gradebook, changed)  # what a person gave is why
            logged.penalised(rows.penalise(changed))


class SettlePenalties(NbGraderPreprocessor):
    """Settles what being late costs, and tells the page when it was due; comes before GetGrades."""

    def preprocess(
        self, nb: NotebookNode, resources: ResourcesDict
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Leave the notebook as it is."""
        names = resources["nbgrader"]
        course = load_course(Path(self.config.CourseDirectory.get("root", ".")))
        with Gradebook(names["db_url"]) as gradebook:
            settle(course, gradebook, [names["assignment"]], [names["student"]])
            names[TIMES] = times_of(course, gradebook, names["assignment"], names["student"])
        return nb, resources


def totals_of(course: Course, verdicts: Sequence[SubmissionVerdict]) -> list[SubmissionTotal]:
    """What counts of each submission; one query an assignment reads it.

    Args:
        course: the course.
        verdicts: those on the submissions, sorted by assignment.
    """
    totals: list[SubmissionTotal] = []
    with settled(course, {one.assignment for one in verdicts}) as gradebook:
        for name, group in groupby(verdicts, lambda verdict: verdict.assignment):
            here = list(group)
            found = grades_of(gradebook, name, {verdict.student for verdict in here})
            cells = {one.graded_cell: one.name for one in course.assignment(name).exercises}
            totals += [_total(one, found.get(one.student, []), cells) for one in here]
    return totals


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
