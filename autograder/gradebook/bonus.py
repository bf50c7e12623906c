"""Bonus marks in nbgrader: automatic scores of cells that are worth nothing to the maximum.

nbgrader adds a maximum up from its cells' points, so the cell of a bonus has 0. It keeps scores by
who gave them: `auto_score` is grading's; `manual_score` and `extra_credit` are a person's, and no
grading changes them. Bonus marks that were earned are grading's, and nbgrader adds them to the
total as it adds every score.
"""

from nbconvert.exporters.exporter import ResourcesDict
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade

from autograder.course import Assignment
from autograder.gradebook import nbgrader_patches
from autograder.gradebook.formgrader_page import is_formgraders, put_above
from autograder.gradebook.marked import score_of
from autograder.verdicts import SubmissionVerdict

nbgrader_patches.patch_sqlalchemy()

Converted = tuple[NotebookNode, ResourcesDict]
BONUS = "autograder_bonus"

# formgrader bounds what is typed as a score by the cell's points, and gives them for full credit.
FOR_GRADERS = (
    "**A bonus, shown to graders alone.** Its marks count on top of the maximum, so nbgrader shows "
    "them as out of 0, and *Full credit* would set them to 0. To add to what the checks gave, use "
    "*extra credit*. To give another mark, set the score to 0 and write the mark as extra credit."
)


def earned_on_top(verdict: SubmissionVerdict, assignment: Assignment) -> dict[str, float | None]:
    """The scores of a submission's bonus exercises, by graded cell."""
    return {
        assignment.exercise(one.exercise).graded_cell: score_of(one)
        for one in verdict.exercises
        if one.bonus
    }


class SaveBonus(NbGraderPreprocessor):
    """Saves what bonus exercises earned; comes after SaveAutoGrades, which takes 0 at most."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Converted:
        """Set the automatic score of each bonus cell, before a late penalty is decided on."""
        names = resources["nbgrader"]
        place = names["notebook"], names["assignment"], names["student"]
        with Gradebook(names["db_url"]) as gradebook:
            for cell, score in resources.get(BONUS, {}).items():
                gradebook.find_grade(cell, *place).auto_score = score
            gradebook.db.commit()
        return nb, resources


class ShowBonus(Preprocessor):
    """Says above each bonus how marks are changed by hand, where formgrader shows a submission."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Converted:
        """Add a cell before each bonus; leave every page alone that is not formgrader's."""
        if is_formgraders(resources):
            put_above(nb, lambda cell: FOR_GRADERS if _is_bonus(cell) else None)
        return nb, resources


def _is_bonus(cell: NotebookNode) -> bool:
    return is_grade(cell) and cell.metadata.nbgrader.get("points") == 0
