"""Every known mistake has a price, and `autograder validate` says whose marks are far from it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.course import Exercise, load_course
from autograder.course.own_code import serve
from autograder.proof import KnownAnswer, Proof, incomplete, off_price
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


@pytest.fixture
def priced(tmp_path: Path) -> Callable[[float], Path]:
    """A course that has a price for one mistake."""

    def made(takes: float) -> Path:
        (tmp_path / FILE).parent.mkdir(parents=True)
        table = TABLE.format(takes=takes, names=["mask-inverted"])
        (tmp_path / FILE).write_text(table, encoding="utf-8")
        return tmp_path

    return made


@pytest.mark.parametrize(("takes", "is_off"), [(0.24, 0), (0.43, 0), (0.44, 1), (0.2, 1)])
def test_marks_further_than_a_tenth_from_the_price_are_found(
    priced: Callable[[float], Path], takes: float, is_off: int
) -> None:
    count, off = off_price(priced(takes), [proof("mistake", "mask-inverted")])
    assert (count, list(off)) == (1, ["causal_mask: mask-inverted"] * is_off)


def test_right_answers_and_mutants_have_no_price(priced: Callable[[float], Path]) -> None:
    assert off_price(priced(1), [proof("mutant", "mask-inverted")]) == (0, {})


@pytest.mark.parametrize(
    ("takes", "names"), [(0, ["a"]), (1.5, ["a"]), (0.5, ["a", "a"])], ids=["none", "more", "twice"]
)
def test_a_table_that_says_no_price_is_refused(tmp_path: Path, takes: float, names: list) -> None:
    (tmp_path / FILE).parent.mkdir(parents=True)
    (tmp_path / FILE).write_text(TABLE.format(takes=takes, names=names), encoding="utf-8")
    with pytest.raises(ValueError, match="causal_mask"):
        prices(tmp_path, NAME)


@pytest.mark.parametrize("name", load_course(ROOT).assignments)
def test_every_known_mistake_has_one_price_and_no_other_has(name: str) -> None:
    serve(ROOT)
    assert prices(ROOT, name)
    assert incomplete(ROOT, load_course(ROOT).assignment(name)) == []


def test_what_a_table_lacks_and_has_in_vain_is_told(priced: Callable[[float], Path]) -> None:
    serve(ROOT)
    told = incomplete(priced(0.5), load_course(ROOT).assignment(NAME))
    assert "causal_mask: one-row has no price" in told
    assert "masked_softmax: mask-inverted has no price" in told
    assert "causal_mask: mask-inverted has no price" not in told
