"""`autograder validate` finds what is wrong: it could not prove anything otherwise."""

from dataclasses import replace

import pytest

from autograder.course import Exercise
from autograder.proof import KnownAnswer
from autograder.proof.proving import problem_with
from autograder.verdicts import ExerciseVerdict, TestResult

EXERCISE = Exercise("f", 2.0, "code")
FULL = ExerciseVerdict(
    "f",
    2.0,
    (
        TestResult("a", "A.", "passed", 1.0, "cpu"),
        TestResult("b", "B.", "passed", 0.5, "cpu"),
        TestResult("c", "C.", "pending", 0.5, "cuda"),
    ),
)
FAILED = TestResult("a", "A.", "failed", 1.0, "cpu", "it is transposed")
HALF = replace(FULL, tests=(FAILED, *FULL.tests[1:]))
NONE = replace(FULL, tests=(FAILED, replace(FAILED, name="b"), FULL.tests[2]))
NAMED = replace(HALF, misconceptions=("transposed",))


def answer(kind: str, name: str = "transposed") -> KnownAnswer:
    return KnownAnswer(EXERCISE, kind, name, ())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "verdict"),
    [("reference", FULL), ("variant", FULL), ("stub", NONE), ("mistake", NAMED)],
)
def test_right_verdicts_have_no_problem(kind: str, verdict: ExerciseVerdict) -> None:
    assert problem_with(answer(kind), verdict) is None


@pytest.mark.parametrize(
    ("kind", "verdict", "told"),
    [
        ("reference", HALF, "loses marks: a (it is transposed)"),
        ("variant", HALF, "loses marks"),
        ("stub", HALF, "the stub earns 0.5: b"),
        ("mistake", FULL, "keeps full marks"),
        ("mistake", HALF, "named nothing"),
        ("mistake", replace(HALF, misconceptions=("inverted",)), "named inverted"),
    ],
)
def test_wrong_verdicts_are_told(kind: str, verdict: ExerciseVerdict, told: str) -> None:
    assert told in (problem_with(answer(kind), verdict) or "")


def test_a_grader_that_fails_is_told_whatever_the_answer() -> None:
    broken = replace(FULL, tests=(replace(FAILED, outcome="error"),), detail="KeyError: 'x'")
    for kind in ("reference", "mistake", "stub"):
        assert "a grader failed: KeyError" in (problem_with(answer(kind), broken) or "")
