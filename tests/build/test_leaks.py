"""Secrets are found by content, wherever in a release they are; a clean release has none."""

import json
from pathlib import Path

import pytest
from line_fitting import NAME, REFERENCE, SOURCE, edit
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, writes

from autograder.build.leaks import find_secrets
from autograder.build.release import build_release
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


INSTRUCTION = 'Put your answer in place of the dots, for instance `q1 = "A"`. The check looks'


def with_key_a(root: Path) -> None:
    """Let A be right: the letter that the instruction's example has."""
    edit(root / QUIZ, 'key = "B"', 'key = "A"')
    edit(root / QUIZ, 'misconception = "squares-are-smaller"\n', "")
    edit(root / QUIZ, "large misses count most.", 'large misses count most."\nmisconception = "x')


def test_the_instructions_example_gives_no_key_away(root):
    with_key_a(root)
    assert INSTRUCTION in (root / SOURCE).read_text(encoding="utf-8")
    assert build_release(load_course(root), NAME).changed


def test_one_example_may_follow_another(root):
    edit(root / QUIZ, 'key = ["A", "D"]', 'key = ["A", "B"]')
    said = 'for instance `q1 = "A"`, or `q3 = ["A", "B"]` where several are right.'
    text = writes(new_notebook(cells=[new_markdown_cell(said)]))
    assert leaks(root, f"{NAME}.ipynb", text) == []
    text = writes(new_notebook(cells=[new_markdown_cell(f'{said} So q3 = ["B", "A"].')]))
    (root / "release" / NAME / f"{NAME}.ipynb").write_text(text)
    assert len(find_secrets(root / "release", load_course(root))) == 1


@pytest.mark.parametrize(
    "leak",
    [
        'q1 = "A"',
        'The answer is `q1 = "A"`.',
        "for instance q1 = 'A'",
        'As in `q1 == "A"`, for instance',
        f'{INSTRUCTION}. Right is q1 = "A".',
    ],
)
def test_key_a_is_found_where_it_is_no_example(root, leak):
    with_key_a(root)
    text = writes(new_notebook(cells=[new_markdown_cell(INSTRUCTION), new_markdown_cell(leak)]))
    found = [f"{NAME}/{NAME}.ipynb holds the key of q1, from {QUIZ}"]
    assert leaks(root, f"{NAME}.ipynb", text) == found


@pytest.mark.parametrize("file", ["hints.md", "checks/hints/line_fitting.toml", "AGENTS.md"])
def test_an_example_is_one_in_a_notebooks_text_alone(root, file):
    with_key_a(root)
    assert leaks(root, file, INSTRUCTION) == [f"{NAME}/{file} holds the key of q1, from {QUIZ}"]


def test_an_example_in_code_or_of_another_key_is_a_leak(root):
    cell = new_code_cell('# for instance q1 = "B"\nq1 = ...')
    assert len(leaks(root, f"{NAME}.ipynb", writes(new_notebook(cells=[cell])))) == 1
    shown = new_markdown_cell(INSTRUCTION.replace("A", "B"))
    (root / "release" / NAME / f"{NAME}.ipynb").write_text(writes(new_notebook(cells=[shown])))
    assert len(find_secrets(root / "release", load_course(root))) == 1


def test_an_accepted_answer_is_secret_as_the_key_is(root):
    edit(root / QUIZ, 'key = "B"', 'key = "B"\naccept = ["C"]')
    assert leaks(root, "notes.md", 'q1 = "D"') == []
    (root / "release" / NAME / "notes.md").write_text('q1 = "C"')
    assert len(find_secrets(root / "release", load_course(root))) == 1
