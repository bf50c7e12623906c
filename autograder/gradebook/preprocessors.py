"""nbgrader's autograde stages: restore the cells, then grade in the sandbox.

`course_config.py` puts these in the places of nbgrader's own. nbgrader runs them in the course's
folder, one submission at a time.
"""

from pathlib import Path

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.gradebook.bonus import BONUS, earned_on_top
from autograder.gradebook.grading import grader_of
from autograder.gradebook.marked import Marker
from autograder.gradebook.pending import PENDING, decided
from autograder.gradebook.records import Record
from autograder.gradebook.submission import read_own_files
from autograder.notebooks.sanitise import sanitise
from autograder.verdicts import Submission

RECORD = "autograder_record"  # for the exporter, which knows the notebook's file
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
        for fault in verdict.faults:
            said = f"{fault.exercise}: judging it failed by itself: {fault.detail}"
            self.log.warning("%s: %s", names["student"], said)
        pending = Marker(grader.course).mark(nb, verdict)
        resources[RECORD] = Record(grader.identities(submission, verdict))
        resources[PENDING] = decided(pending, names)
        resources[BONUS] = earned_on_top(verdict, assignment)
        return nb, resources
