"""`autograder validate` holds the marks of known mistakes to what a teacher takes for them."""

from pathlib import Path

import pytest

from autograder.course import Exercise, load_course
from autograder.course.own_code import serve
from autograder.proof import KnownAnswer, Proof, mispriced, without_mistake
from autograder.proof.prices import prices
from autograder.verdicts import ExerciseVerdict, TestResult

ROOT = Path(__file__).parents[2]
NAME = "03-causal-masking"
FILE = Path("graders", "causal_masking", "prices.toml")
TABLE = '[[causal_mask]]\nslip = "in part"\ntakes = {takes}\nnames = {names}\n'
VERDICT = ExerciseVerdict(
    "causal_mask",
    2.0,
    (
        TestResult("a", "A.", "passed", 1.0, "cpu"),
        TestResult("b", "B.", "failed", 0.5, "cpu", "it is transposed"),
        TestResult("c", "C.", "pending", 0.5, "cuda"),
    ),
)


def proof(kind: str, name: str) -> Proof:
    exercise = Exercise("causal_mask", 2.0, "code")
    return Proof(NAME, KnownAnswer(exercise, kind, name, ()), VERDICT, None)  # type: ignore[arg-type]


def found(
    root: Path, takes: float, kind: str = "mistake", name: str = "mask-inverted"
) -> list[str]:
    (root / FILE).parent.mkdir(parents=True)
    (root / FILE).write_text(TABLE.format(takes=takes, names=["mask-inverted"]), encoding="utf-8")
    return mispriced(root, [proof(kind, name)])


@pytest.mark.parametrize(
    ("takes", "said"),
    [
        (0.24, ""),
        (0.43, ""),
        (0.44, "costs 0.33 of the marks, where a teacher takes 0.44"),
        (0.2, "costs 0.33 of the marks, where a teacher takes 0.2"),
    ],
)
def test_marks_are_within_a_tenth_of_the_price(tmp_path: Path, takes: float, said: str) -> None:
    assert found(tmp_path, takes) == ([f"causal_mask: mask-inverted {said}"] if said else [])


def test_a_known_mistake_without_a_price_is_told(tmp_path: Path) -> None:
    assert "one-row has no price" in found(tmp_path, 0.3, name="one-row")[0]


def test_right_answers_and_mutants_have_no_price(tmp_path: Path) -> None:
    assert found(tmp_path, 1, kind="mutant") == []


@pytest.mark.parametrize(
    ("takes", "names"), [(0, ["a"]), (1.5, ["a"]), (0.5, ["a", "a"])], ids=["none", "more", "twice"]
)
def test_a_table_that_says_no_price_is_refused(tmp_path: Path, takes: float, names: list) -> None:
    (tmp_path / FILE).parent.mkdir(parents=True)
    (tmp_path / FILE).write_text(TABLE.format(takes=takes, names=names), encoding="utf-8")
    with pytest.raises(ValueError, match="causal_mask"):
        prices(tmp_path, NAME)


@pytest.mark.parametrize("name", load_course(ROOT).assignments)
def test_every_price_is_that_of_a_known_mistake(name: str) -> None:
    serve(ROOT)
    assignment = load_course(ROOT).assignment(name)
    assert prices(ROOT, name)
    assert without_mistake(ROOT, assignment) == []
