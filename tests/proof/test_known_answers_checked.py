"""A mistake that no visible check sees is told, unless it costs little or its exercise says so."""

from dataclasses import replace
from pathlib import Path

import pytest

from autograder.bank import mistakes
from autograder.course import Assignment, Course, Exercise, load_course
from autograder.course.not_checked import NotChecked
from autograder.judging.answers import reference_source, source_of
from autograder.proof import KnownAnswer, Proof, unwarned, with_checks
from autograder.proof.matrix import MatrixRow
from autograder.verdicts import ExerciseVerdict, TestResult

NAME = "01-attention-by-hand"
SOFTMAX = Exercise("softmax", 3.0, "code")
UNSEEN = reference_source("softmax") + (
    "\n\nright = softmax\n\n\ndef softmax(x, axis=-1):\n"
    "    return right(x, axis) * (2 if x.shape == (7, 11, 13) else 1)\n"
)
FAILED = TestResult("a", "A.", "failed", 2.0, "cpu", "its values are wrong", None)
PASSED = TestResult("b", "B.", "passed", 8.0, "cpu")


def verdict(lost: float) -> ExerciseVerdict:
    """Full marks but for a share of them."""
    tests = (replace(FAILED, points=3 * lost), replace(PASSED, points=3 - 3 * lost))
    return ExerciseVerdict("softmax", 3.0, tests, misconceptions=("planted",))


def planted(source: str, lost: float, kind: str = "mistake", name: str = "planted") -> Proof:
    answer = KnownAnswer(SOFTMAX, kind, name, (("softmax", source),))  # type: ignore[arg-type]
    return Proof(NAME, answer, verdict(lost), None)


@pytest.fixture(scope="module")
def course(course_root: Path) -> Course:
    return load_course(course_root)


@pytest.fixture(scope="module")
def proofs(course: Course) -> dict[str, Proof]:
    """What the visible checks of softmax find in several answers."""
    known = source_of(mistakes("softmax")[0])
    answers = [
        planted(UNSEEN, 0.2),
        planted(UNSEEN, 0.1, name="cheap"),
        planted(known, 0.9, name="seen"),
        planted("import os\nos._exit(0)\n", 0.9, name="dies"),
        planted("raise KeyError('x')\n", 0.9, name="stops"),
        planted(reference_source("softmax"), 0.0, "reference", "reference"),
        planted(known, 0.0, "variant", "called right"),
        planted(UNSEEN, 0.9, "mutant", "no business of checks"),
    ]
    return {proof.answer.name: proof for proof in with_checks(course, answers, 1)}


def left_open(*slugs: str) -> Assignment:
    said = NotChecked("softmax", "No check looks at arrays of that shape.", frozenset(slugs))
    return Assignment(NAME, (SOFTMAX,), not_checked=(said,))


def test_checks_see_a_known_mistake_and_let_the_reference_pass(proofs: dict[str, Proof]) -> None:
    assert proofs["seen"].failed_checks
    assert proofs["reference"].failed_checks == ()
    assert proofs["no business of checks"].failed_checks is None


def test_an_answer_that_stops_or_ends_its_process_is_seen(proofs: dict[str, Proof]) -> None:
    assert proofs["stops"].failed_checks == ("the cell stops with KeyError",)
    assert proofs["dies"].failed_checks == ("the process of the notebook ends",)


def test_a_mistake_that_nobody_sees_is_told_at_a_fifth_of_the_marks(
    proofs: dict[str, Proof],
) -> None:
    (told,) = unwarned([], [proofs["planted"], proofs["seen"], proofs["reference"]])
    assert told.startswith("softmax: mistake planted: passes every visible check")
    assert "loses 0.60 of 3 points" in told


def test_a_mistake_that_nobody_sees_and_that_costs_less_is_none(proofs: dict[str, Proof]) -> None:
    assert proofs["cheap"].failed_checks == ()
    assert unwarned([], [proofs["cheap"]]) == []


def test_what_an_exercise_says_silences_its_own_mistakes_alone(proofs: dict[str, Proof]) -> None:
    other = replace(proofs["planted"], answer=replace(proofs["planted"].answer, name="other"))
    (told,) = unwarned([left_open("planted")], [proofs["planted"], other])
    assert told.startswith("softmax: mistake other:")


def test_what_is_said_in_vain_is_told(proofs: dict[str, Proof]) -> None:
    (told,) = unwarned([left_open("planted", "seen")], [proofs["planted"], proofs["seen"]])
    assert told.startswith("softmax: not_checked names seen in vain")


def test_a_right_answer_that_a_check_refuses_is_told(proofs: dict[str, Proof]) -> None:
    (told,) = unwarned([], [proofs["called right"]])
    assert told.startswith("softmax: variant called right: is right, and fails")


def test_the_matrix_counts_what_is_seen_and_what_the_rest_costs(proofs: dict[str, Proof]) -> None:
    assert MatrixRow("softmax", tuple(proofs.values())).seen == (3, 1, 1)
