"""What questions become in a notebook and beside it, and that no key goes out with them."""

import json
from pathlib import Path

import pytest
from line_fitting import NAME, SOURCE
from quiz_course import PERCENT, QUIZ_PLACE, make_quiz_course, questions
from quiz_sources import QUIZ

from autograder.build.leaks import find_secrets
from autograder.build.quiz_cells import REFERENCE_ID
from autograder.build.quiz_secrets import quiz_secrets
from autograder.build.release import build_release
from autograder.build.secret import squeeze
from autograder.build.source_notebook import reference_notebook, source_notebook
from autograder.checks.kit.personal import filled_in
from autograder.course import CourseError, load_course
from autograder.notebooks.reading import read_notebook
from autograder.notebooks.sanitise import grade_id


@pytest.fixture
def quiz_root(make_line_fitting, tmp_path):
    """A course with one question of each kind."""
    return make_quiz_course(make_line_fitting, tmp_path / "course")


def sources(notebook) -> dict[str, str]:
    """The sources of nbgrader's cells, by name."""
    return {str(grade_id(cell)): cell.source for cell in notebook.cells if grade_id(cell)}


def build(root: Path, owner: str = REFERENCE_ID):
    course = load_course(root)
    return source_notebook(course, course.assignment(NAME), owner)


def test_the_instructors_notebook_holds_the_answers_of_its_owner(quiz_root):
    for owner in ("ada", "ben"):
        own = questions(quiz_root)["k2"]
        shape = own.answer.key.shape(own.sizes_of(owner))
        found = sources(build(quiz_root, owner))
        assert found["k2"] == f"### BEGIN SOLUTION\nk2 = {shape}\n### END SOLUTION"
        assert found["q2"] == '### BEGIN SOLUTION\nq2 = ["A", "C"]\n### END SOLUTION'
        assert 'check("k2")' in found["test_k2"]


def test_the_owners_id_stands_where_the_release_leaves_it_open(quiz_root):
    course = load_course(quiz_root)
    notebook = reference_notebook(course, course.assignment(NAME), "ada")
    (cell,) = (c for c in notebook.cells if c.source.startswith("student_id"))
    assert cell.source.startswith('student_id = "ada"  #')


def test_the_release_asks_and_says_which_answers_it_takes(quiz_root):
    course = load_course(quiz_root)
    build_release(course, NAME)
    notebook = read_notebook(course.folder("release") / NAME / f"{NAME}.ipynb", 10**6)
    found = sources(notebook)
    assert found["q1"] == 'q1 = ...  # "A" or "B"'
    assert found["q2"] == 'q2 = ...  # a list of letters, such as ["A", "B"]'
    assert found["k1"] == "k1 = ...  # a number: MB"
    assert found["k2"] == "k2 = ...  # a tuple of whole numbers, such as (2, 3)"
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    assert any("With ⟨heads⟩ heads and ⟨queries⟩ queries" in text for text in texts)
    plain = [c.source for c in notebook.cells if c.cell_type == "code" and not grade_id(c)]
    assert plain[0].startswith("student_id = ...")
    assert plain[1] == 'from checks import ask\n\nask("k2", student_id)'
    raw = json.loads((course.folder("release") / NAME / f"{NAME}.ipynb").read_text("utf-8"))
    assert set(raw["metadata"]) == {"kernelspec", "language_info"}


def test_what_a_student_is_asked_is_the_text_with_their_sizes(quiz_root):
    course = load_course(quiz_root)
    build_release(course, NAME)
    path = course.folder("release") / NAME / "checks" / "questions.json"
    public = {one["name"]: one for one in json.loads(path.read_text(encoding="utf-8"))}
    assert list(public) == ["q1", "q2", "k1", "k2"]
    assert public["q2"] == {"name": "q2", "kind": "choices", "letters": ["A", "B", "C"]}
    assert public["k2"]["sizes"] == {"heads": [2, 3, 6], "queries": [7, 8, 9]}
    assert filled_in(public["k2"]["text"], {"heads": 3, "queries": 8}) == (
        "With 3 heads and 8 queries, which shape?"
    )


def test_a_personal_question_needs_the_cell_for_the_id_above_it(quiz_root):
    path = quiz_root / SOURCE
    path.write_text(PERCENT.replace("student_id =", "student ="), encoding="utf-8")
    with pytest.raises(CourseError, match="no cell above it asks for the id"):
        build(quiz_root)
    id_cell = PERCENT[PERCENT.index("# %%\nstudent_id") : PERCENT.index("# %% quiz")]
    below = PERCENT.replace(id_cell, "") + "\n" + id_cell
    path.write_text(below, encoding="utf-8")
    with pytest.raises(CourseError, match="no cell above it asks for the id"):
        build(quiz_root)


def found_in(root: Path, text: str) -> list[str]:
    """What of the quiz's secrets a text holds."""
    text = f"Before.\n{text}\nAfter.\n"
    secrets = quiz_secrets(root, root / QUIZ_PLACE)
    return [secret.what for secret in secrets if secret.is_in(text, squeeze(text))]


@pytest.mark.parametrize(
    ("secret", "said"),
    [
        ("q1 = 'A'", "the key of q1"),
        ('q2 = ["A", "C"]', "the key of q2"),
        ("q2: ('C','A')", "the key of q2"),
        ("k1 = 22.6", "the key of k1"),
        ('"k1": 2.2627e1', "the key of k1"),
        ("k1 == sqrt( 512 )", "the key of k1"),
        ('"key": "sqrt(512)"', "the key of k1"),
        ("k2 = (3, 8, 32)", "the key of k2"),
        ("k2 = [6, 9, 36]", "the key of k2"),
        ('"k2": "(heads, queries, 4*queries)"', "the key of k2"),
        ("key = (heads, queries,\n 4 * queries)", "the key of k2"),
        ("the shape is (heads, queries, 4 * queries)", "the key of k2"),
        ("Take the root\nof the width.", "the reason for the answer of k1"),
        ("Here the queries come first.", "the reason for wrong value 1 of k2"),
        ("That is none of them.", "the reason for option B of q2"),
    ],
)
def test_a_key_is_found_however_it_is_written(quiz_root, secret, said):
    found = found_in(quiz_root, secret)
    assert len(set(found)) == 1
    assert f"{said}, from {QUIZ_PLACE}" in found[0]


@pytest.mark.parametrize(
    "public",
    [
        'q2 = ...  # a list of letters, such as ["A", "C"]',
        'q2 = ["A", "B"]',
        "k1 = 512",
        "k1 = 0.5  # for instance",
        "k2 = (2, 3)",
        "k2 = (3, 8, 31)",
        "x = sqrt(512)",
        "scores of shape (heads, queries, keys)",
        "key = query = x",
    ],
)
def test_what_is_no_key_is_no_secret(quiz_root, public):
    assert found_in(quiz_root, public) == []


def test_a_release_that_holds_the_quiz_is_refused_for_every_question(quiz_root):
    path = quiz_root / "release" / NAME / "notes.txt"
    path.parent.mkdir(parents=True)
    path.write_text(QUIZ, encoding="utf-8")
    found = " ".join(map(str, find_secrets(quiz_root / "release", load_course(quiz_root))))
    for name in ("q1", "q2", "k1", "k2"):
        assert f" of {name}, from {QUIZ_PLACE}" in found
