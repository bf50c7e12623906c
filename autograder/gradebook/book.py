"""An assignment's page of the gradebook: what stands in it, and what is written into it.

Of a submission first the folder is made aside, then its rows are committed, then the folder is put
in place. Whoever is stopped between two of these leaves rows that are right, or none that are new;
the next run finds no record of them and writes the submission again.
"""

import copy
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.utils import compute_checksum
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlalchemy.orm.exc import StaleDataError
from traitlets.config import Config

from autograder.course import Course
from autograder.course.locks import locked
from autograder.gradebook.autograded import Folders, restore
from autograder.gradebook.copying import handed_in_at
from autograder.gradebook.logged import Logged
from autograder.gradebook.marked import Marker, score_of
from autograder.gradebook.pending import Pending
from autograder.gradebook.records import Record, read_record
from autograder.gradebook.reopening import reopened
from autograder.gradebook.rows import Entry, Rows, released
from autograder.gradebook.submission import content_of
from autograder.notebooks.plain_file import BadNotebook
from autograder.notebooks.sanitise import grade_id
from autograder.notebooks.submitted import Submitted
from autograder.verdicts import Grader, Submission, SubmissionVerdict
from autograder.verdicts.key import digest, digest_of_rooms

RIVALRY = {"40001", "40P01"}  # PostgreSQL's serialization failure, and deadlock
TRIES = 3


@dataclass(frozen=True)
class Graded:
    """A submission with its verdict, before the gradebook holds it.

    Attributes:
        one: where it was handed in.
        verdict: what grading found.
        made_of: the digest of the folder that was graded.
        submission: what was graded.
        notebook: the sanitised notebook.
    """

    one: Submitted
    verdict: SubmissionVerdict
    made_of: str
    submission: Submission
    notebook: NotebookNode


@dataclass(frozen=True)
class Ungraded:
    """A submission that has no marks.

    Attributes:
        one: where it was handed in.
        verdict: says why.
    """

    one: Submitted
    verdict: SubmissionVerdict


class Book:
    """One assignment in the gradebook.

    Args:
        grader: names today's verdicts.
        gradebook: stays open as long as this is used.
        assignment: the assignment's name; it is registered.

    Attributes:
        logged: logs what is written.
    """

    def __init__(self, grader: Grader, gradebook: Gradebook, assignment: str) -> None:
        self._grader, self._course = grader, grader.course
        self._assignment = self._course.assignment(assignment)
        self._released = released(gradebook, assignment)
        self._rows = Rows(self._course, gradebook, self._released)
        self._folders = Folders(self._course, assignment)
        self._marker = Marker(self._course)
        self.logged = Logged(self._course, self._assignment)
        self._context = digest(
            {
                "verdicts": grader.context(assignment),
                "left out": [one.source for one in self._assignment.demonstrations],
                "rooms": digest_of_rooms("feedback", "gradebook", "notebooks"),
                "settings": repr(_settings(self._course)),
                "reveal": asdict(self._marker.reveal),
                "released": repr(self._released),
            }
        )
        self._scores = self._rows.scores()

    def standing(self, one: Submitted) -> SubmissionVerdict | None:
        """The verdict that the gradebook holds already, with nothing of it to be written again.

        Returns:
            None where anything that grades, page or files are made of has changed, or where the
            gradebook holds other scores than this command has put there.
        """
        if one.student not in self._scores:
            return None
        record = read_record(self._course, one)
        if record is None or record.scores != self._scores[one.student]:
            return None
        try:
            if record.made_of != self._with_context(content_of(self._course, one)):
                return None
        except (BadNotebook, OSError):
            return None
        waits = {name for name, score in record.scores.items() if score is None}
        written = [e.name for e in self._assignment.exercises if e.graded_cell in waits]
        verdict = self._grader.stored(one.assignment, one.student, record.verdicts, written)
        if verdict is None or self._scores_of(verdict) != record.scores:
            return None
        self._folders.drop(one)
        return replace(verdict, notes=record.notes)

    def write(self, graded: Sequence[Graded]) -> list[str | None]:
        """Write submissions, each whole or not at all.

        Returns:
            for each why it was not written, or None.

        Raises:
            OperationalError: the gradebook cannot be used at all.
        """
        with ExitStack() as locks:
            for student in sorted({one.one.student for one in graded}):
                locks.enter_context(locked(self._course.root, student))
            return self._write(graded)

    def _write(self, graded: Sequence[Graded]) -> list[str | None]:
        failures: list[str | None] = []
        staged: list[tuple[Graded, Entry]] = []
        for one in graded:
            try:
                staged.append((one, self._stage(one)))
                failures.append(None)
            except Exception as error:  # a full disk, or a fault of ours: it must not cost others
                self._folders.drop(one.one)
                failures.append(f"{type(error).__name__}: {error}")
        wrong = self._commit(staged)
        return [
            failure or wrong.get(one.one) for one, failure in zip(graded, failures, strict=True)
        ]

    def _stage(self, graded: Graded) -> Entry:
        """Make the folder of a submission aside, and what its rows are to be."""
        one, notebook = graded.one, graded.notebook
        restore(notebook, self._released)
        pending = self._marker.mark(notebook, graded.verdict)
        scores = self._scores_of(graded.verdict)
        keys = self._grader.identities(graded.submission, graded.verdict)
        made_of = self._with_context(graded.made_of)
        record = Record(keys, made_of, scores, graded.verdict.notes)
        entry = Entry(
            student=one.student,
            handed_in=handed_in_at(one.folder),
            scores=scores,
            comments=self._comments(notebook),
            pending=pending,
            reopened=self._reopened(one.student, notebook, pending),
        )
        self._folders.stage(one, notebook, record)
        return entry

    def _reopened(
        self, student: str, notebook: NotebookNode, pending: Sequence[Pending]
    ) -> frozenset[str]:
        """The cells whose marks a person gave for another answer than the one that now waits."""
        asked = [self._assignment.exercise(one.answer) for one in pending if one.for_person]
        return reopened(self._course, self._assignment, student, notebook, asked)

    def _scores_of(self, verdict: SubmissionVerdict) -> dict[str, float | None]:
        """The automatic score of each graded cell; None where a person's is waited for."""
        return {
            self._assignment.exercise(one.exercise).graded_cell: score_of(one)
            for one in verdict.exercises
        }

    def _comments(self, notebook: NotebookNode) -> dict[str, str | None]:
        """nbgrader's comment on each answer: that there is none, where the cell is as released."""
        comments: dict[str, str | None] = {}
        for cell in notebook.cells:
            name = grade_id(cell) or ""
            if name in self._released.answers:
                checksum, _ = self._released.sources[name]
                comments[name] = "No response." if compute_checksum(cell) == checksum else None
        return comments

    def _commit(self, staged: Sequence[tuple[Graded, Entry]]) -> dict[Submitted, str]:
        """Commit the rows of all; where that fails, of each alone, so that one costs no other."""
        try:
            for left in reversed(range(TRIES)):
                try:
                    replaced = self._rows.write([entry for _, entry in staged])
                    break
                except DBAPIError as error:
                    if not left or not is_collision(error):
                        raise
                except StaleDataError:
                    if not left:
                        raise
        except OperationalError:
            for one, _ in staged:
                self._folders.drop(one.one)
            raise
        except Exception as error:  # such as a late-penalty plugin's: it must not cost others
            if len(staged) == 1:
                alone = staged[0][0].one
                self._folders.drop(alone)
                said = str(getattr(error, "orig", None) or error).splitlines()[0]
                return {alone: f"{type(error).__name__}: {said}"}
            wrong = [self._commit([entry]) for entry in staged]
            return {one: why for found in wrong for one, why in found.items()}
        for (graded, entry), old in zip(staged, replaced, strict=True):
            self.logged.written(entry.student, graded.made_of, entry.scores, old)
        submitted = [graded.one for graded, _ in staged]
        return {one: why for one in submitted if (why := self._put_in_place(one)) is not None}

    def _put_in_place(self, one: Submitted) -> str | None:
        try:
            self._folders.put_in_place(one)
        except OSError as error:
            self._folders.drop(one)
            return f"{type(error).__name__}: {error}"
        return None

    def _with_context(self, content: str) -> str:
        return digest([self._context, content])


def _settings(course: Course) -> Config:
    """Every setting but where the course is: one that was moved stands as it did."""
    settings = copy.deepcopy(course.config)
    settings.CourseDirectory.pop("root", None)
    return settings


def is_collision(error: DBAPIError) -> bool:
    """Whether another grader, on another machine, was at the same rows: it is gone next time."""
    return isinstance(error, IntegrityError) or getattr(error.orig, "pgcode", "") in RIVALRY
