"""Cells that have no mark yet: some wait for a device, others for an instructor's decision.

nbgrader asks again for every score that a person has given, whenever the submission is graded. Of
an answer that waited for a person we know better: it is asked for again only when it has changed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from nbconvert.exporters.exporter import ResourcesDict
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode
from nbgrader.api import Comment, Grade, Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.course import Exercise
from autograder.feedback.words import bounded
from autograder.gradebook import nbgrader_patches
from autograder.gradebook.formgrader_page import is_formgraders, put_above
from autograder.notebooks.sanitise import grade_id
from autograder.verdicts import ExerciseVerdict, answers
from autograder.verdicts.verdict import ANOTHER_ID, GRADER_ERROR

nbgrader_patches.patch_sqlalchemy()

Converted = tuple[NotebookNode, ResourcesDict]
PENDING = "autograder_pending"
# Where an autograded notebook, which no student sees, keeps what graders are told.
FOR_GRADERS = "autograder_for_graders"
CHECK_FAILED = "A check failed by itself, so a person gives the marks."
ELSEWHERE = (
    "This cell is empty. What stands near its question is quoted above, for a person to mark."
)
UNSIGNED = (
    "No student_id. The answer fits the numbers of the one who handed it in; a person decides."
)
LONGEST_DETAIL = 400


@dataclass(frozen=True)
class Pending:
    """A graded cell without a mark.

    Attributes:
        cell: the graded cell's name.
        answer: the name of the cell with the answer.
        note: what waits for a person, as formgrader shows it below the answer; None where a device
            is waited for.
        detail: what to decide by, for graders alone.
        written: whether it is an answer in sentences.
        settled: whether a person has given marks for just this.
    """

    cell: str
    answer: str
    note: str | None = None
    detail: str | None = None
    written: bool = False
    settled: bool = False

    @property
    def for_person(self) -> bool:
        """Whether a person gives the marks, and no device."""
        return self.written or self.note is not None


def pending_cell(verdict: ExerciseVerdict, exercise: Exercise, elsewhere: bool) -> Pending:
    """What of a verdict waits, and for whom.

    Args:
        verdict: the verdict.
        exercise: what it is on.
        elsewhere: whether it is an answer in sentences that stands outside its own cell.
    """
    if exercise.kind == "written":
        note = ELSEWHERE if elsewhere else None
        return Pending(exercise.graded_cell, exercise.name, note, written=True)
    if verdict.reason == GRADER_ERROR:
        return Pending(exercise.graded_cell, exercise.name, CHECK_FAILED, verdict.detail)
    if verdict.reason != ANOTHER_ID:
        return Pending(exercise.graded_cell, exercise.name)
    answered = verdict.answered or "in a form that this question does not take"
    note = f"Answered {answered} under another student_id, so a person gives the marks."
    if verdict.detail == answers.UNSIGNED:
        note = UNSIGNED
    return Pending(exercise.graded_cell, exercise.name, note, verdict.detail)


def decided(pending: Iterable[Pending], names: Mapping[str, str]) -> list[Pending]:
    """What waits, and of it what a person has settled; asked before nbgrader saves new scores.

    Args:
        pending: what waits in one submission.
        names: nbgrader's names of that submission.
    """
    with Gradebook(names["db_url"]) as gradebook:
        return [replace(one, settled=_is_settled_in(gradebook, one, names)) for one in pending]


def is_settled(one: Pending, grade: Grade, comment: Comment) -> bool:
    """Whether a person has given marks since what they were asked about came to be.

    Args:
        one: what waits.
        grade: its row in the gradebook, before new scores are saved.
        comment: the row of its answer.
    """
    if not one.for_person:
        return False
    if grade.manual_score is None or grade.needs_manual_grade:
        return False
    return one.written or bool(comment.auto_comment == one.note)


def record_details(notebook: NotebookNode, pending: Iterable[Pending]) -> None:
    """Write into an autograded notebook what graders decide by."""
    found = {one.cell: one.detail for one in pending if one.detail is not None}
    if found:
        notebook.metadata[FOR_GRADERS] = found


class ShowDetails(Preprocessor):
    """Says what to decide by above each answer that waits, where formgrader shows a submission."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Converted:
        """Add a cell before each such mark; leave every page alone that is not formgrader's."""
        if is_formgraders(resources):
            details = nb.metadata.get(FOR_GRADERS, {})
            told = {name: _told(detail) for name, detail in details.items()}
            put_above(nb, lambda cell: told.get(grade_id(cell)))
        return nb, resources


class MarkPending(NbGraderPreprocessor):
    """Marks cells without a mark as needing grading, after the scores are saved."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Converted:
        """Set `needs_manual_grade` on every pending cell that no person has settled.

        The stages before need a score: nbgrader takes none for full marks.
        """
        names = resources["nbgrader"]
        with Gradebook(names["db_url"]) as gradebook:
            for one in resources.get(PENDING, []):
                grade = gradebook.find_grade(one.cell, *_place(names))
                grade.needs_manual_grade = not one.settled
                if one.for_person:
                    grade.auto_score = None
                if one.note is not None:
                    gradebook.find_comment(one.answer, *_place(names)).auto_comment = one.note
            gradebook.db.commit()
        return nb, resources


class DropAutomaticComments(NbGraderPreprocessor):
    """Leaves the comments that a person wrote; on the feedback page a comment is an instructor's.

    The others are this module's notes to graders, and nbgrader's "No response.".
    """

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Converted:
        """Look at every comment again; comes after GetGrades, which takes either kind."""
        names = resources["nbgrader"]
        with Gradebook(names["db_url"]) as gradebook:
            for cell in nb.cells:
                mark = cell.metadata.get("nbgrader") or {}
                if mark.get("comment"):
                    found = gradebook.find_comment(mark["grade_id"], *_place(names))
                    mark["comment"] = found.manual_comment
        return nb, resources


def _told(detail: str) -> str:
    """The detail as a line of code: it quotes the student, and nothing in it may act."""
    quoted = " ".join(bounded(detail, LONGEST_DETAIL).replace("`", "'").split())
    return f"**To decide by, shown to graders alone:** `{quoted}`"


def _is_settled_in(gradebook: Gradebook, one: Pending, names: Mapping[str, str]) -> bool:
    grade = gradebook.find_grade(one.cell, *_place(names))
    return is_settled(one, grade, gradebook.find_comment(one.answer, *_place(names)))


def _place(names: Mapping[str, str]) -> tuple[str, str, str]:
    return names["notebook"], names["assignment"], names["student"]
