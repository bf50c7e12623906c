"""Due dates and extensions that the course states, where nbgrader looks for them.

nbgrader keeps an extension in the row of a submission. A row that is made before anything was
handed in makes a missing student look as if something were there: so an extension is written when
its submission is graded. What `extensions.csv` says goes before what the row says. What the file no
longer says is taken back where the row still has what we put there, as `.autograder/granted` tells.
"""

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.api import Assignment, Gradebook, SubmittedAssignment
from nbgrader.preprocessors import NbGraderPreprocessor
from sqlalchemy import select

from autograder.course import Course, load_course
from autograder.course.locks import locked
from autograder.course.roster import Extension
from autograder.gradebook import nbgrader_patches

nbgrader_patches.patch_sqlalchemy()

Converted = tuple[NotebookNode, ResourcesDict]


class Granted:
    """The extensions of one assignment.

    Args:
        course: says what was granted.
        assignment: the assignment's name.
        due: until when others hand in, in UTC without saying so; None where there is no such time.
    """

    def __init__(self, course: Course, assignment: str, due: datetime | None) -> None:
        self._root, self._assignment = course.root, assignment
        self._file = course.root / ".autograder" / "granted" / f"{assignment}.json"
        found = course.roster.extensions.items()
        untils = {
            student: one.until for (student, name), one in found if name == assignment and one.until
        }
        self._today = (
            {student: _beyond(due, until) for student, until in untils.items()} if due else {}
        )
        self._ours = _read(self._file)
        self._remember(self._ours | self._today)

    def decided(self, student: str, extension: timedelta | None) -> timedelta | None:
        """A student's extension by now, where the row of the submission has this one."""
        if student in self._today:
            return self._today[student]
        return None if extension == self._ours.get(student) else extension

    def apply(self, submission: SubmittedAssignment) -> None:
        """Write the extension of a submission into its row; whoever calls commits it."""
        found = self.decided(submission.student_id, submission.extension)
        if found != submission.extension:
            submission.extension = found

    def _remember(self, ours: dict[str, timedelta]) -> None:
        """Keep it before any row has it: else a stop in between would make it nobody's."""
        if ours == self._ours:
            return
        with locked(self._root, f"granted {self._assignment}"):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            unfinished = self._file.with_name(f".{self._file.name}")
            seconds = {student: one.total_seconds() for student, one in ours.items()}
            unfinished.write_text(json.dumps(seconds), encoding="utf-8")
            unfinished.replace(self._file)
        self._ours = ours


class GrantExtension(NbGraderPreprocessor):
    """Writes the extension of the submission at hand; comes before AssignLatePenalties."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Converted:
        """Leave the notebook as it is."""
        names = resources["nbgrader"]
        course = load_course(Path(self.config.CourseDirectory.get("root", ".")))
        with Gradebook(names["db_url"]) as gradebook:
            submission = gradebook.find_submission(names["assignment"], names["student"])
            due = submission.assignment.duedate
            Granted(course, names["assignment"], due).apply(submission)
            gradebook.db.commit()
        return nb, resources


def enter_due_dates(course: Course, gradebook: Gradebook, names: Iterable[str]) -> None:
    """Let the gradebook know the due dates that the settings state; others stay as they are."""
    moments = course.due
    wanted = [name for name in names if name in moments]
    for row in gradebook.db.scalars(select(Assignment).where(Assignment.name.in_(wanted))):
        due = moments[row.name].astimezone(UTC).replace(tzinfo=None)
        if row.duedate != due:
            row.duedate = due
    gradebook.db.commit()


def due_of(course: Course, gradebook: Gradebook, assignment: str) -> datetime | None:
    """Until when an assignment is handed in without an extension; None for no end."""
    due = course.due.get(assignment)
    if due is None:
        query = select(Assignment.duedate).where(Assignment.name == assignment)
        due = gradebook.db.scalars(query).one_or_none()
        due = due and due.replace(tzinfo=UTC)
    return due and due.astimezone(course.zone)


def due_with(due: datetime | None, granted: Extension | None) -> datetime | None:
    """Until when a student hands in: an extension never makes it earlier."""
    if granted is None or granted.until is None:
        return due
    return granted.until if due is None else max(due, granted.until)


def _beyond(due: datetime, until: datetime) -> timedelta:
    return max(until.astimezone(UTC).replace(tzinfo=None) - due, timedelta(0))


def _read(file: Path) -> dict[str, timedelta]:
    try:
        found = json.loads(file.read_bytes())
        return {student: timedelta(seconds=one) for student, one in found.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}
