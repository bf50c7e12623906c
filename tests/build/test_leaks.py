"""Secrets are found by content, wherever in a release they are; a clean release has none."""

import json
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, writes
from small_course import NAME, PERCENT, SOLUTIONS

from autograder.build.leaks import find_secrets
from autograder.course import load_course

QUIZ = "solutions/causal_masking/quiz.toml"
GRADERS = "graders/causal_masking/masks/hidden.py"
HIDDEN = """\
import torch


def test_row_i_allows_keys_up_to_i(student):
    wanted = torch.ones(5, 5, dtype=torch.bool).tril(diagonal=0).logical_and(torch.ones(5, 5) > 0)
    assert torch.equal(student.causal_mask(5), wanted)
"""


def leaks(root: Path, file: str, text: str) -> list[str]:
    """What is found in a release that holds one file."""
    path = root / "release" / NAME / file
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return [str(leak) for leak in find_secrets(root / "release", load_course(root))]


def test_what_students_are_given_is_no_secret(root):
    given = SOLUTIONS.split("    ### BEGIN")[0] + PERCENT + "\nself.scale = scale\nreturn mask"
    given += '\nq1 = ...  # "A" or "B"\nWhich keys does query 0 see? Key 0 alone'
    assert leaks(root, "notes.md", given) == []


@pytest.mark.parametrize(
    ("secret", "said"),
    [
        (
            "    return rows[:, None] >= rows[None, :]",
            "a line of the solution, solutions/causal_masking/reference.py",
        ),
        (
            "mask = rows[:,None]>=rows[None,:]",
            "a line of the solution, solutions/causal_masking/reference.py",
        ),
        ("r = torch.arange(\n    seq_len,\n    device=device)", "a line of the solution"),
        ("gated = torch.sigmoid( self.scale ) * x", "a line of the solution"),
        ('q1 = "B"', f"the key of q1, from {QUIZ}"),
        ("q1='B'", "the key of q1"),
        ('{"q1": "B"}', "the key of q1"),
        ("The first position has\nno past but itself.", "the reason for option B of q1"),
        ("hides the future from query 0. That is an encoder's view", None),
        ("### BEGIN SOLUTION", "a marker of nbgrader's"),
        ("from autograder.judging import exercise", "an import of the private project"),
        (
            "import solutions.causal_masking.reference as right",
            "an import of the private project",
        ),
    ],
)
@pytest.mark.parametrize("file", ["checks/causal_masking.py", "AGENTS.md", "data/picture.png"])
def test_a_secret_is_found_in_any_file_and_any_layout(root, file, secret, said):
    found = leaks(root, file, f"Before.\n{secret}\nAfter.\n")
    if said is None:  # a part of a reason, in another order, is no quotation
        assert found == []
    else:
        assert len(found) == 1
        assert found[0].startswith(f"{NAME}/{file} holds ")
        assert said in found[0]


@pytest.mark.parametrize("make", [new_code_cell, new_markdown_cell])
def test_a_secret_in_a_notebooks_escaped_text_is_found(root, make):
    notebook = writes(new_notebook(cells=[make("x = 1\nq1 = 'B'\nq2 = 2")]))
    assert leaks(root, f"{NAME}.ipynb", notebook) == [
        f"{NAME}/{NAME}.ipynb holds the key of q1, from {QUIZ}"
    ]


def test_a_secret_in_a_notebooks_metadata_or_output_is_found(root):
    cell = new_code_cell("q1 = ...", metadata={"autograder": {"stub": 'q1 = "B"'}})
    assert leaks(root, f"{NAME}.ipynb", writes(new_notebook(cells=[cell]))) != []


def test_the_names_and_the_lines_of_hidden_tests_are_secret(root):
    (root / GRADERS).parent.mkdir(parents=True)
    (root / GRADERS).write_text(HIDDEN, encoding="utf-8")
    name = "test_row_i_allows_keys_up_to_i"
    found = leaks(root, "hint.txt", f"The grader calls {name}.")
    assert found == [f"{NAME}/hint.txt holds the name of the hidden test {name}, from {GRADERS}"]
    found = leaks(root, "other/hint.txt", json.dumps({"code": HIDDEN}).replace("\\n", "\n"))
    assert any(f"a line of the hidden tests, {GRADERS} line 5" in leak for leak in found)
