"""What cells below an answer's check change costs the answer nothing, and right answers alone."""

import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell
from small_curriculum import perfect, shrink

import autograder

pytestmark = pytest.mark.slow

PROJECT = Path(autograder.__file__).parents[1]
NAME = "03-causal-masking"
EXERCISES = ["causal_mask", "masked_softmax", "causal_attention"]
MASK = """
def causal_mask(seq_len, device=None):
    return torch.ones(seq_len, seq_len, dtype=torch.bool, device=device).tril({diagonal})
"""
HELPED = """
def diagonal():
    return settings["offset"]
""" + MASK.format(diagonal="diagonal()")
ATTENTION = """
def causal_attention(q, k, v):
    if q.shape[-2] != k.shape[-2]:
        raise ValueError(f"as many keys as queries: {q.shape[-2]} and {k.shape[-2]}")
    scores = q @ k.mT / math.sqrt(k.shape[-1]) * factor
    weights = masked_softmax(scores, causal_mask(k.shape[-2], q.device))
    return weights @ v, weights
"""
# By student: a cell above, their own causal_mask, a cell at the end.
MASKS = {
    "name": ("offset = 0", MASK.format(diagonal="offset"), "offset = 1"),
    "item": ("settings = {'offset': 0}", HELPED, "settings['offset'] = 1"),
    "update": ("settings = {'offset': 0}", HELPED, "settings.update(offset=1)"),
    "alias": ("settings = {'offset': 0}", HELPED, "other = settings\nother['offset'] = 1"),
    "argument": (
        "settings = {'offset': 0}\ndef put(into): into['offset'] = 1",
        HELPED,
        "put(settings)",
    ),
    "call": (
        "offset = 0\ndef move():\n    global offset\n    offset = 1",
        MASK.format(diagonal="offset"),
        "move()",
    ),
    "append": ("moved = [0]", MASK.format(diagonal="moved[-1]"), "moved.append(1)"),
    "text": ("offset = 0", MASK.format(diagonal="offset"), "exec('offset = 1')"),
    "wrong": ("offset = -1", MASK.format(diagonal="offset"), "offset = 1"),
    "later": ("offset = 1", MASK.format(diagonal="offset"), "offset = 0"),
}
BOTH, TWICE_WRONG = "both", "twice-wrong"
NO_MASK = "def causal_mask(seq_len, device=None):\n    return None"


def hand_in(course: Path, student: str, above: str, below: str, **answers: str) -> None:
    notebook = perfect(course, NAME, student)
    cells = {
        cell.metadata.nbgrader.grade_id: cell
        for cell in notebook.cells
        if "nbgrader" in cell.metadata
    }
    for exercise, source in answers.items():
        cells[exercise].source = source
    first = notebook.cells.index(cells[EXERCISES[0]])
    notebook.cells.insert(first, new_code_cell(above))
    notebook.cells.append(new_code_cell(below))
    folder = course / "submitted" / student / NAME
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / f"{NAME}.ipynb")


@pytest.fixture(scope="module")
def graded(make_course, tmp_path_factory):
    """The exercises of each student, and the folder of the course."""
    course = make_course(tmp_path_factory.mktemp("state") / "course")
    shrink(course, {NAME: EXERCISES})
    for student, (above, mask, below) in MASKS.items():
        hand_in(course, student, above, below, causal_mask=mask)
    hand_in(
        course, BOTH, "factor = 1", "factor = 3", causal_mask=NO_MASK, causal_attention=ATTENTION
    )
    wrong = ATTENTION.replace("/ math.sqrt(k.shape[-1])", "")
    hand_in(
        course, TWICE_WRONG, "factor = 1", "factor = 3", causal_mask=NO_MASK, causal_attention=wrong
    )
    subprocess.run(
        [sys.executable, "-m", "autograder", "grade", NAME, "--json", "run.json", "--workers", "2"],
        cwd=course,
        env=os.environ | {"COLUMNS": "200"},
        check=False,
        capture_output=True,
    )
    told = json.loads((course / "run.json").read_text())
    return {one["student"]: one["exercises"] for one in told["submissions"]}, course


def verdict_on(course: Path, student: str, exercise: str) -> dict:
    record = json.loads((course / "autograded" / student / f"{NAME}.json").read_text())
    key = record["verdicts"][exercise]
    return json.loads((course / ".autograder" / "verdicts" / key[:2] / f"{key}.json").read_text())


@pytest.mark.parametrize("student", [*MASKS][:-2])
def test_a_change_below_its_check_costs_a_right_answer_nothing(student, graded):
    exercises, course = graded
    mask = exercises[student]["causal_mask"]
    assert (mask["score"], mask["misconception"], mask["message"]) == (2.0, None, None)
    assert verdict_on(course, student, "causal_mask")["at_its_check"]


def test_a_wrong_answer_stays_wrong_at_its_check(graded):
    exercises, _ = graded
    assert exercises["wrong"]["causal_mask"]["score"] < 2.0


def test_an_answer_that_is_right_as_the_notebook_ends_is_run_once(graded):
    exercises, course = graded
    assert exercises["later"]["causal_mask"]["score"] == 2.0
    assert not verdict_on(course, "later", "causal_mask")["at_its_check"]


def test_a_change_below_and_a_wrong_part_above_cost_a_right_answer_nothing_together(graded):
    exercises, course = graded
    assert exercises[BOTH]["causal_mask"]["score"] < 1.0
    attention = exercises[BOTH]["causal_attention"]
    assert attention["score"] == attention["max_score"]
    assert verdict_on(course, BOTH, "causal_attention")["judged_with"] == [
        "causal_mask",
        "masked_softmax",
    ]
    wrong = exercises[TWICE_WRONG]["causal_attention"]
    assert wrong["score"] < wrong["max_score"]
