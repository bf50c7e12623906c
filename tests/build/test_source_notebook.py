"""What the percent notebook, the solutions and the quiz become, and what is said when wrong."""

import re
from pathlib import Path

import pytest
from class_exercise import EXERCISE, SOLUTION, add_class
from line_fitting import NAME, REFERENCE, SOURCE, cell_of, edit
from nbformat import NotebookNode

from autograder.build.source_notebook import source_notebook
from autograder.course import CourseError, load_course
from autograder.course.questions import PROGRESS_CELL

FIRST = "# %% [markdown]\n# # 1 Line fitting"


def build(root: Path) -> NotebookNode:
    course = load_course(root)
    return source_notebook(course, course.assignment(NAME))


def test_an_exercise_becomes_its_solution_and_its_graded_cell(root):
    notebook = build(root)
    solution, graded = cell_of(notebook, "predict"), cell_of(notebook, "test_predict")
    text = (root / REFERENCE).read_text(encoding="utf-8")
    assert solution.source == text[text.index("def predict") :].split("\n\n\n")[0]
    assert notebook.cells.index(graded) == notebook.cells.index(solution) + 1
    marks = solution.metadata.nbgrader
    assert (marks.grade, marks.solution, marks.locked) == (False, True, False)
    marks = graded.metadata.nbgrader
    assert (marks.grade, marks.solution, marks.locked, marks.points) == (True, False, True, 2)
    visible, hidden = graded.source.split("### BEGIN HIDDEN TESTS\n")
    assert visible == 'from checks import check\n\ncheck("predict")\n'
    with pytest.raises(RuntimeError, match="earns nothing"):
        exec(hidden)


def test_a_class_comes_whole(root):
    assert cell_of(build(add_class(root)), EXERCISE).source == SOLUTION.rstrip()


def test_a_question_becomes_text_answer_and_graded_cell(root):
    notebook = build(root)
    answer = cell_of(notebook, "q1")
    text = notebook.cells[notebook.cells.index(answer) - 1]
    assert text.cell_type == "markdown"
    assert "Why are the misses squared" in text.source
    assert "- **B.** So that a miss above and a miss below" in text.source
    assert answer.source == '### BEGIN SOLUTION\nq1 = "B"\n### END SOLUTION'
    assert 'check("q1")' in cell_of(notebook, "test_q1").source


def test_what_no_check_looks_at_stands_beneath_the_checks(root):
    declared = ' not_checked="No check tries 500 positions." unseen="table-too-short, other"'
    edit(root / SOURCE, '"predict" points=2', f'"predict" points=2{declared}')
    (said,) = load_course(root).assignment(NAME).not_checked
    assert said.mistakes == {"table-too-short", "other"}
    notebook = build(root)
    below = notebook.cells[notebook.cells.index(cell_of(notebook, "test_predict")) + 1]
    assert below.cell_type == "markdown"
    assert below.source == "*What no check above looks at:* No check tries 500 positions."
    text = "".join(one.source for one in notebook.cells)
    assert text.count("No check tries") == 1
    assert "table-too-short" not in text


def test_prose_and_plain_code_stay_as_written(root):
    first, second = build(root).cells[:2]
    assert first.source.startswith("# 1 Line fitting\n\nAbout ten minutes")
    assert second.source == "import matplotlib.pyplot as plt\nimport numpy as np"


def test_decorators_come_with_their_object(root):
    edit(root / REFERENCE, "def predict", "@functools.cache\ndef predict")
    assert cell_of(build(root), "predict").source.startswith("@functools.cache\ndef predict")


def test_cells_are_named_by_grade_id_or_content_so_that_a_new_cell_renames_no_other(root):
    before = build(root)
    assert {"predict", "test_predict", "q1"} <= {c.id for c in before.cells}
    more = "# %% [markdown]\n# New\n\n# %%\nimport torch\n\n# %%\nimport torch\n\n"
    edit(root / SOURCE, FIRST, f"{more}{FIRST}")
    after = build(root)
    assert [c.id for c in after.cells[3:]] == [c.id for c in before.cells]
    assert len({c.id for c in after.cells}) == len(after.cells)


def test_every_code_cell_may_fail_and_the_last_one_says_how_the_notebook_stands(root):
    code = [cell for cell in build(root).cells if cell.cell_type == "code"]
    assert code[-1].source == PROGRESS_CELL
    assert all("raises-exception" in cell.metadata.tags for cell in code)


QUIZ = "solutions/line_fitting/quiz.toml"


@pytest.mark.parametrize(
    ("path", "old", "new", "said"),
    [
        (
            SOURCE,
            '"predict"',
            '"perdict"',
            "line_fitting/reference.py has no function",
        ),
        (SOURCE, '"predict"', '"perdict"', "Did you mean 'predict'"),
        (SOURCE, '"fit"', '"predict"', "declared 2 times"),
        (SOURCE, " points=2", "", "needs points"),
        (SOURCE, " points=2", ' points=2 not_checked="This."', "declared by both"),
        (SOURCE, " points=2", ' points=2 unseen="a-mistake"', "declared by both"),
        (SOURCE, " points=1\n", ' points=1 not_checked="a" unseen="b"\n', "declared by both"),
        (SOURCE, "points=2\n", "points=2\nx = 1\n", "must be empty"),
        (SOURCE, '"q1"', '"q7"', f"{QUIZ} has no question 'q7'"),
        (REFERENCE, "### BEGIN SOLUTION", "", "END SOLUTION has no BEGIN"),
        (REFERENCE, "### END SOLUTION", "", "has no END"),
        (REFERENCE, "def predict", "def predict((", "line 6: "),
        (QUIZ, 'key = "B"', 'key = "E"', "'E', is not an option"),
        (QUIZ, 'why = "Misses', 'because = "Misses', "option A has 'because', which nothing reads"),
        (QUIZ, "[question.options.A]", "[question.options.A", "TOML|toml|\\]"),
    ],
)
def test_a_mistake_in_the_sources_is_said_with_its_place(root, path, old, new, said):
    edit(root / path, old, new)
    with pytest.raises(CourseError, match=said) as error:
        build(root)
    assert str(root) in str(error.value)


def test_a_solution_without_markers_is_refused(root):
    text = (root / REFERENCE).read_text(encoding="utf-8")
    unmarked = re.sub("### (BEGIN|END) SOLUTION", "", text)
    (root / REFERENCE).write_text(unmarked, encoding="utf-8")
    with pytest.raises(CourseError, match="predict has no `### BEGIN SOLUTION`"):
        build(root)


@pytest.mark.parametrize("path", [REFERENCE, QUIZ])
def test_a_missing_file_is_named(root, path):
    (root / path).unlink()
    with pytest.raises(CourseError, match=f"{Path(path).name} is missing"):
        build(root)
