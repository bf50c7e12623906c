"""What the percent notebook, the solutions and the quiz become, and what is said when wrong."""

import re
from pathlib import Path

import pytest
from nbformat import NotebookNode
from small_course import NAME, PERCENT, SOLUTIONS, edit

from autograder.build.source_notebook import source_notebook
from autograder.course import CourseError, load_course


def build(root: Path) -> NotebookNode:
    course = load_course(root)
    return source_notebook(course, course.assignment(NAME))


def cell(notebook: NotebookNode, name: str) -> NotebookNode:
    (found,) = (c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == name)
    return found


def test_an_exercise_becomes_its_solution_and_its_graded_cell(root):
    notebook = build(root)
    solution, graded = cell(notebook, "causal_mask"), cell(notebook, "test_causal_mask")
    assert solution.source == SOLUTIONS[SOLUTIONS.index("def causal") :].split("\n\n\n")[0]
    assert notebook.cells.index(graded) == notebook.cells.index(solution) + 1
    marks = solution.metadata.nbgrader
    assert (marks.grade, marks.solution, marks.locked) == (False, True, False)
    marks = graded.metadata.nbgrader
    assert (marks.grade, marks.solution, marks.locked, marks.points) == (True, False, True, 2)
    visible, hidden = graded.source.split("### BEGIN HIDDEN TESTS\n")
    assert visible == 'from checks import check\n\ncheck("causal_mask")\n'
    with pytest.raises(RuntimeError, match="earns nothing"):
        exec(hidden)


def test_a_class_comes_whole(root):
    source = cell(build(root), "Gate").source
    assert source == SOLUTIONS[SOLUTIONS.index("class Gate") :].rstrip()


def test_a_question_becomes_text_answer_and_graded_cell(root):
    notebook = build(root)
    answer = cell(notebook, "q1")
    text = notebook.cells[notebook.cells.index(answer) - 1]
    assert text.cell_type == "markdown"
    assert "Which keys does query 0 see?" in text.source
    assert "- **B.** Key 0 alone" in text.source
    assert answer.source == '### BEGIN SOLUTION\nq1 = "B"\n### END SOLUTION'
    assert 'check("q1")' in cell(notebook, "test_q1").source


def test_what_no_check_looks_at_stands_beneath_the_checks(root):
    declared = ' not_checked="No check tries 500 positions." unseen="table-too-short, other"'
    edit(root / PERCENT_PATH, " points=2", f" points=2{declared}")
    (said,) = load_course(root).assignment(NAME).not_checked
    assert said.mistakes == {"table-too-short", "other"}
    notebook = build(root)
    below = notebook.cells[notebook.cells.index(cell(notebook, "test_causal_mask")) + 1]
    assert below.cell_type == "markdown"
    assert below.source == "*What no check above looks at:* No check tries 500 positions."
    text = "".join(one.source for one in notebook.cells)
    assert text.count("No check tries") == 1
    assert "table-too-short" not in text


def test_prose_and_plain_code_stay_as_written(root):
    first, second = build(root).cells[:2]
    assert first.source.startswith("# Causal masking\n\nA token may look back")
    assert second.source == "import torch\nfrom torch import Tensor, nn"


def test_decorators_come_with_their_object(root):
    edit(
        root / "solutions/causal_masking/reference.py",
        "def causal_mask",
        "@torch.no_grad()\ndef causal_mask",
    )
    assert cell(build(root), "causal_mask").source.startswith("@torch.no_grad()\ndef causal_mask")


def test_cells_are_named_by_grade_id_or_content_so_that_a_new_cell_renames_no_other(root):
    before = build(root)
    assert {"causal_mask", "test_causal_mask", "q1"} <= {c.id for c in before.cells}
    more = "# %% [markdown]\n# New\n\n# %%\nimport torch\n\n# %%\nimport torch\n\n"
    (root / "assignments" / NAME / f"{NAME}.py").write_text(more + PERCENT, encoding="utf-8")
    after = build(root)
    assert [c.id for c in after.cells[3:]] == [c.id for c in before.cells]
    assert len({c.id for c in after.cells}) == len(after.cells)


PERCENT_PATH = f"assignments/{NAME}/{NAME}.py"
SOLUTION_PATH = "solutions/causal_masking/reference.py"
QUIZ_PATH = "solutions/causal_masking/quiz.toml"


@pytest.mark.parametrize(
    ("path", "old", "new", "said"),
    [
        (
            PERCENT_PATH,
            '"causal_mask"',
            '"causal_maks"',
            "causal_masking/reference.py has no function",
        ),
        (PERCENT_PATH, '"causal_mask"', '"causal_maks"', "Did you mean 'causal_mask'"),
        (PERCENT_PATH, '"Gate"', '"causal_mask"', "declared 2 times"),
        (PERCENT_PATH, " points=2", "", "needs points"),
        (PERCENT_PATH, " points=2", ' points=2 not_checked="This."', "declared by both"),
        (PERCENT_PATH, " points=2", ' points=2 unseen="a-mistake"', "declared by both"),
        (PERCENT_PATH, " points=1\n", ' points=1 not_checked="a" unseen="b"\n', "declared by both"),
        (PERCENT_PATH, "points=2\n", "points=2\nx = 1\n", "must be empty"),
        (PERCENT_PATH, '"q1"', '"q2"', f"{QUIZ_PATH} has no question 'q2'"),
        (SOLUTION_PATH, "### BEGIN SOLUTION", "", "END SOLUTION has no BEGIN"),
        (SOLUTION_PATH, "### END SOLUTION", "", "has no END"),
        (SOLUTION_PATH, "def causal_mask", "def causal_mask(", "line 7: "),
        (QUIZ_PATH, 'key = "B"', 'key = "E"', "'E', is not an option"),
        (QUIZ_PATH, "why", "because", "option A has 'because', which nothing reads"),
        (QUIZ_PATH, "[question.options.A]", "[question.options.A", "TOML|toml|\\]"),
    ],
)
def test_a_mistake_in_the_sources_is_said_with_its_place(root, path, old, new, said):
    edit(root / path, old, new)
    with pytest.raises(CourseError, match=said) as error:
        build(root)
    assert str(root) in str(error.value)


def test_a_solution_without_markers_is_refused(root):
    text = re.sub("### (BEGIN|END) SOLUTION", "", SOLUTIONS)
    (root / SOLUTION_PATH).write_text(text, encoding="utf-8")
    with pytest.raises(CourseError, match="causal_mask has no `### BEGIN SOLUTION`"):
        build(root)


@pytest.mark.parametrize("path", [SOLUTION_PATH, QUIZ_PATH])
def test_a_missing_file_is_named(root, path):
    (root / path).unlink()
    with pytest.raises(CourseError, match=f"{Path(path).name} is missing"):
        build(root)
