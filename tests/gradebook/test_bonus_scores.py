"""What of a bonus nbgrader is handed in the notebook, and what waits in it."""

from dataclasses import replace

import pytest
from line_fitting import NAME, SOURCE
from nbgrader.utils import compute_checksum

from autograder.build.source_notebook import source_notebook
from autograder.course import load_course
from autograder.gradebook.bonus import earned_on_top
from autograder.gradebook.marked import Marker
from autograder.notebooks.sanitise import grade_id
from autograder.verdicts import ExerciseVerdict, SubmissionVerdict, TestResult

PERCENT = '# %% exercise="predict" points=2\n\n# %% exercise="fit" points=3 bonus\n'
RIGHT = TestResult("values", "The values.", "passed", 2.0, "cpu")
UNWRITTEN = replace(RIGHT, outcome="failed", symptom="your code raised NotImplementedError")
WAITS = TestResult("fused", "On a GPU.", "pending", 1.0, "cuda")
PLAIN = ExerciseVerdict("predict", 2.0, (RIGHT,))


@pytest.fixture
def course(make_line_fitting, tmp_path):
    """A course with a bonus."""
    root = make_line_fitting(tmp_path / "course")
    (root / SOURCE).write_text(PERCENT)
    return load_course(root)


@pytest.mark.parametrize("form", ["as released", "emptied", "written"])
def test_a_bonus_whose_checks_all_wait_waits_for_nothing_where_it_was_not_begun(course, form):
    assignment = course.assignment(NAME)
    notebook = source_notebook(course, assignment)
    (answer,) = (cell for cell in notebook.cells if grade_id(cell) == "fit")
    answer.metadata.nbgrader["checksum"] = compute_checksum(answer)
    if form != "as released":
        answer.source = " \n" if form == "emptied" else f"{answer.source}\n# mine"
    bonus = ExerciseVerdict("fit", 3.0, (WAITS,), bonus=True)
    pending = Marker(course).mark(notebook, SubmissionVerdict("ada", NAME, (PLAIN, bonus)))
    (graded,) = (cell for cell in notebook.cells if grade_id(cell) == "test_fit")
    optional = "it is optional" in graded.outputs[0].data["text/html"]
    begun = form == "written"
    assert ([one.cell for one in pending], optional) == (
        ["test_fit"] if begun else [],
        not begun,
    )


@pytest.mark.parametrize(
    ("tests", "earned", "waiting"),
    [
        ((RIGHT, WAITS), 2.0, ["test_fit"]),
        ((RIGHT,), 2.0, []),
        ((UNWRITTEN, WAITS), 0.0, []),  # left out: no person and no GPU has anything to settle
    ],
)
def test_nbgrader_reads_no_more_than_the_cells_points_and_is_told_the_rest(
    course, tests, earned, waiting
):
    assignment = course.assignment(NAME)
    notebook = source_notebook(course, assignment)
    bonus = ExerciseVerdict("fit", 3.0, tests, bonus=True)
    verdict = SubmissionVerdict("ada", NAME, (PLAIN, bonus))
    pending = Marker(course).mark(notebook, verdict)
    cells = {grade_id(cell): cell for cell in notebook.cells}
    assert cells["test_predict"].outputs[0].data["text/plain"] == "2.0"
    assert cells["test_fit"].outputs[0].data["text/plain"] == "0.0"
    assert earned_on_top(verdict, assignment) == {"test_fit": earned}
    assert [one.cell for one in pending] == waiting
