"""Secrets are found by content, wherever in a release they are; a clean release has none."""

import json
from pathlib import Path

import pytest
from line_fitting import NAME, REFERENCE, SOURCE
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, writes

from autograder.build.leaks import find_secrets
from autograder.course import load_course

QUIZ = "solutions/line_fitting/quiz.toml"
GRADERS = "graders/line_fitting/predict/hidden.py"


SAID = (
    "Squares are never negative, so the mean is 0 only where every miss is; and large misses count "
    "most."
)


def leaks(root: Path, file: str, text: str) -> list[str]:
    """What is found in a release that holds one file."""
    path = root / "release" / NAME / file
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return [str(leak) for leak in find_secrets(root / "release", load_course(root))]


def test_what_students_are_given_is_no_secret(root):
    reference, percent = ((root / place).read_text() for place in (REFERENCE, SOURCE))
    given = reference.split("    ### BEGIN")[0] + percent + "\nslope = 0\nreturn slope"
    given += '\nq1 = ...  # "A" or "B"\nWhy are the misses squared? So that the numbers get smaller'
    assert leaks(root, "notes.md", given) == []


@pytest.mark.parametrize(
    ("secret", "said"),
    [
        (
            "    return np.mean((predicted - actual) ** 2)",
            "a line of the solution, solutions/line_fitting/reference.py",
        ),
        (
            "error = np.mean((predicted-actual)**2)",
            "a line of the solution, solutions/line_fitting/reference.py",
        ),
        ("r = predict(\n    x,\n    slope,\n    intercept) - y", "a line of the solution"),
        ("tilt = np.mean( from_middle * y ) / np.mean(from_middle**2)", "a line of the solution"),
        ('q1 = "B"', f"the key of q1, from {QUIZ}"),
        ("q1='B'", "the key of q1"),
        ('{"q1": "B"}', "the key of q1"),
        (
            SAID.replace(" ", "\n", 3),
            "the reason for option B of q1",
        ),
        ("the mean is 0 only where every miss is. Squares are never negative", None),
        ("### BEGIN SOLUTION", "a marker of nbgrader's"),
        ("from autograder.judging import exercise", "an import of the private project"),
        (
            "import solutions.line_fitting.reference as right",
            "an import of the private project",
        ),
    ],
)
@pytest.mark.parametrize("file", ["checks/line_fitting.py", "AGENTS.md", "data/picture.png"])
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
    name = "test_a_higher_intercept_lifts_the_whole_line"
    found = leaks(root, "hint.txt", f"The grader calls {name}.")
    assert found == [f"{NAME}/hint.txt holds the name of the hidden test {name}, from {GRADERS}"]
    code = (root / GRADERS).read_text(encoding="utf-8")
    found = leaks(root, "other/hint.txt", json.dumps({"code": code}).replace("\\n", "\n"))
    assert any(f"a line of the hidden tests, {GRADERS} line" in leak for leak in found)
