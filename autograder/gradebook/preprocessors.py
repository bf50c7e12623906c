"""nbgrader's autograde stages: restore the cells, grade in the sandbox, mark what is pending.

`course_config.py` puts these in the places of nbgrader's own. nbgrader runs them in the course's
folder, one submission at a time.
"""

from datetime import UTC, datetime
from pathlib import Path

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.feedback import render_exercise
from autograder.gradebook.grading import grader_of
from autograder.gradebook.outdated import record_keys
from autograder.notebooks import read_files, sanitise
from autograder.notebooks.sanitise import grade_id
from autograder.verdicts import ExerciseVerdict, Submission

Converted = tuple[NotebookNode, ResourcesDict]


class NotGraded(Exception):
    """The submission could not be graded; nbgrader drops it and says so."""


class RestoreCells(NbGraderPreprocessor):
    """Puts a notebook back in order before anything else looks at it."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Converted:
        """Restore graded and solution cells from the assignment."""
        course = grader_of(Path.cwd()).course
        for note in sanitise(nb, course.assignment(resources["nbgrader"]["assignment"])):
            self.log.warning("%s: %s", resources["nbgrader"]["student"], note)
        return nb, resources


class GradeInSandbox(NbGraderPreprocessor):
    """Writes each exercise's verdict into its graded cell, as nbgrader's score and as feedback."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Converted:
        """Ask for the verdict and write it; raises NotGraded when there is none."""
        grader = grader_of(Path.cwd())
        names = resources["nbgrader"]
        assignment = grader.course.assignment(names["assignment"])
        folder = grader.course.folder("submitted") / names["student"] / assignment.name
        files = read_files(folder, grader.course.limits.files_mb * 2**20)
        submission = Submission.of(nb, assignment, names["student"], files)
        verdict = grader.verdict(submission)
        if verdict.reason is not None:
            raise NotGraded(f"{names['student']}: {verdict.reason}: {verdict.detail}")
        reveal = grader.course.feedback.reveal(datetime.now(UTC))
        cells = {grade_id(cell): cell for cell in nb.cells}
        for exercise in verdict.exercises:
            feedback = render_exercise(exercise, assignment_module=assignment.module, reveal=reveal)
            cell = cells[f"test_{exercise.exercise}"]
            cell.outputs = [_output(exercise, feedback.html)]
        record_keys(nb, grader.keys(submission))
        resources["autograder_pending"] = [
            f"test_{exercise.exercise}" for exercise in verdict.exercises if exercise.pending_points
        ]
        return nb, resources


class MarkPending(NbGraderPreprocessor):
    """Marks cells whose tests wait for a device as needing grading, after the scores are saved."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Converted:
        """Set `needs_manual_grade` on every cell with a pending test."""
        names = resources["nbgrader"]
        pending = resources.get("autograder_pending", [])
        with Gradebook(names["db_url"]) as gradebook:
            for name in pending:
                grade = gradebook.find_grade(
                    name, names["notebook"], names["assignment"], names["student"]
                )
                grade.needs_manual_grade = True
            gradebook.db.commit()
        return nb, resources


def _output(exercise: ExerciseVerdict, html: str) -> NotebookNode:
    """The output that carries both: nbgrader reads its text as the score, a reader sees its HTML.

    Always a number: nbgrader takes a missing, negative or NaN score for full marks.
    """
    score = min(max(exercise.score, 0.0), exercise.max_points)
    return new_output(
        "execute_result", data={"text/plain": repr(round(score, 4)), "text/html": html}
    )
