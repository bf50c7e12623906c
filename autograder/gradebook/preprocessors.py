"""nbgrader's autograde stages: restore the cells, then grade in the sandbox.

`course_config.py` puts these in the places of nbgrader's own. nbgrader runs them in the course's
folder, one submission at a time.
"""

from datetime import UTC, datetime
from pathlib import Path

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.feedback import render_exercise
from autograder.feedback.asked import asked_of
from autograder.gradebook.grading import grader_of
from autograder.gradebook.outdated import record_keys
from autograder.gradebook.pending import PENDING, Pending, decided, pending_cell, record_details
from autograder.gradebook.submission import read_own_files
from autograder.notebooks import sanitise
from autograder.notebooks.sanitise import grade_id
from autograder.verdicts import ExerciseVerdict, Submission
from autograder.verdicts.key import solutions_folder

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
        files = read_own_files(grader.course, assignment.name, folder)
        submission = Submission.of(nb, assignment, names["student"], files)
        verdict = grader.verdict(submission)
        if verdict.reason is not None:
            raise NotGraded(f"{names['student']}: {verdict.reason}: {verdict.detail}")
        reveal = grader.course.feedback.reveal(datetime.now(UTC))
        cells = {grade_id(cell): cell for cell in nb.cells}
        asked = asked_of(names["student"], assignment, solutions_folder(grader.course.root))
        pending: list[Pending] = []
        for exercise in verdict.exercises:
            declared = assignment.exercise(exercise.exercise)
            if exercise.pending_points:
                pending.append(pending_cell(exercise, declared))
            if declared.kind == "written":  # nbgrader gives 0 to no answer, or waits for a person
                continue
            feedback = render_exercise(
                exercise,
                assignment_module=assignment.module,
                reveal=reveal,
                asked=asked.get(exercise.exercise),
            )
            cells[declared.graded_cell].outputs = [_output(exercise, feedback.html)]
        record_keys(nb, grader.keys(submission))
        record_details(nb, pending)
        resources[PENDING] = decided(pending, names)
        return nb, resources


def _output(exercise: ExerciseVerdict, html: str) -> NotebookNode:
    """The output that carries both: nbgrader reads its text as the score, a reader sees its HTML.

    Always a number: nbgrader takes a missing, negative or NaN score for full marks.
    """
    score = min(max(exercise.score, 0.0), exercise.max_points)
    return new_output(
        "execute_result", data={"text/plain": repr(round(score, 4)), "text/html": html}
    )
