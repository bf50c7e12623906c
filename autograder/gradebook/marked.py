"""The notebook that a verdict makes: scores and feedback stand in the graded cells."""

from dataclasses import replace
from datetime import UTC, datetime

from nbformat import NotebookNode, from_dict
from nbgrader.utils import compute_checksum

from autograder.course import Course
from autograder.course.layout import solutions_folder
from autograder.feedback import marks_of, render_exercise
from autograder.feedback.asked import Asked
from autograder.feedback.cell_marks import CellMarks, output_metadata
from autograder.feedback.told import with_hints
from autograder.gradebook.pending import Pending, pending_cell, record_details
from autograder.notebooks.sanitise import grade_id
from autograder.notebooks.written_answers import passages
from autograder.verdicts import ExerciseVerdict, SubmissionVerdict
from autograder.verdicts.attempted import is_left_out
from autograder.verdicts.verdict import GRADER_ERROR


class Marker:
    """Writes verdicts into notebooks; what submissions share is read once.

    Args:
        course: the course.

    Attributes:
        reveal: what feedback shows, as of now.
    """

    def __init__(self, course: Course) -> None:
        self.reveal = course.feedback.reveal(datetime.now(UTC))
        self._course = course
        self._asked: dict[str, Asked] = {}

    def mark(self, notebook: NotebookNode, verdict: SubmissionVerdict) -> list[Pending]:
        """Write a verdict's scores and feedback into a notebook that is in order, in place.

        Returns:
            what waits for a device or a person.
        """
        assignment = self._course.assignment(verdict.assignment)
        verdict = with_hints(self._course.root, verdict)
        cells = {grade_id(cell): cell for cell in notebook.cells}
        asked = self._asked_in(assignment.name).of(verdict.student)
        pending: list[Pending] = []
        styled = False
        for exercise in verdict.exercises:
            declared = assignment.exercise(exercise.exercise)
            fault = exercise.reason == GRADER_ERROR
            untouched = exercise.bonus and _is_untouched(cells[declared.name])
            if untouched and not fault and not declared.void:
                exercise = replace(exercise, reason="not_attempted")
            if exercise.pending_points and not is_left_out(exercise):
                elsewhere = bool(passages(notebook, assignment, declared))
                pending.append(pending_cell(exercise, declared, elsewhere))
            if declared.kind == "written":  # nbgrader gives 0 to no answer, or waits for a person
                continue
            told = asked.get(exercise.exercise)
            html = render_exercise(exercise, reveal=self.reveal, asked=told, styled=not styled)
            marks = marks_of(exercise, self.reveal)
            cells[declared.graded_cell].outputs = [_output(exercise, html, marks)]
            styled = True
        record_details(notebook, pending)
        return pending

    def _asked_in(self, name: str) -> Asked:
        if name not in self._asked:
            solutions_folder(self._course.root)
            self._asked[name] = Asked(self._course.assignment(name), self._course.root)
        return self._asked[name]


def _is_untouched(cell: NotebookNode) -> bool:
    """Whether an answer's cell is as it was released, or empty; tests that wait cannot tell."""
    released = cell.metadata["nbgrader"].get("checksum")
    return not cell.source.strip() or compute_checksum(cell) == released


def score_of(exercise: ExerciseVerdict) -> float | None:
    """The score that nbgrader keeps of a verdict; None where a person's is waited for.

    Always within the points: nbgrader takes a missing, negative or NaN score for full marks.
    """
    if exercise.auto_score is None:
        return None
    return min(max(exercise.auto_score, 0.0), exercise.max_points)


def _output(exercise: ExerciseVerdict, html: str, marks: CellMarks) -> NotebookNode:
    """The output that carries both: nbgrader takes its text as the score, a reader sees HTML.

    nbgrader refuses a score above a cell's points, so `SaveBonus` saves what a bonus has earned;
    and it takes no score for full marks, so `MarkPending` takes back what is a person's to give.
    """
    score = 0.0 if exercise.bonus else score_of(exercise) or 0.0
    data = NotebookNode({"text/plain": repr(score), "text/html": html})
    # What nbformat's new_output makes, which takes a millisecond to check each against its schema.
    return NotebookNode(
        output_type="execute_result",
        metadata=from_dict(output_metadata(marks)),
        data=data,
        execution_count=None,
    )
