"""`autograder validate` finds what is wrong: it could not prove anything otherwise."""

from dataclasses import replace
from typing import Any

import pytest

from autograder.course import Assignment, Exercise
from autograder.proof import KnownAnswer, Proof
from autograder.proof.known_answers import returning_none
from autograder.proof.matrix import MatrixRow, rows
from autograder.proof.proving import idle_tests, parts_of_work, problem_with, telling_symptoms
from autograder.verdicts import ExerciseVerdict, TestResult
from autograder.verdicts.verdict import Remark

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
REMARKED = replace(FULL, remarks=(Remark("transposed", "It is transposed."),))


def answer(kind: str, name: str = "transposed") -> KnownAnswer:
    return KnownAnswer(EXERCISE, kind, name, ())  # type: ignore[arg-type]


def many_answers() -> list[tuple[Assignment, KnownAnswer]]:
    """Of f and of a long g, in turn, as known answers and then mutants come."""
    assignment = Assignment("01", ())
    names = [*"fg", *"g" * 30, *"fg"]
    return [
        (assignment, replace(answer("mistake"), exercise=replace(EXERCISE, name=name)))
        for name in names
    ]


def test_every_answer_is_in_one_part_and_those_of_an_exercise_stay_together() -> None:
    answers = many_answers()
    parts = parts_of_work(answers, workers=1)
    assert sorted(place for part in parts for place in part) == list(range(len(answers)))
    of = [{answers[place][1].exercise.name for place in part} for part in parts]
    assert [len(names) for names in of] == [1] * len(parts)
    assert of.count({"f"}) == 1


def test_a_long_exercise_is_cut_where_others_would_have_nothing_to_do() -> None:
    answers = many_answers()
    longest = [max(map(len, parts_of_work(answers, workers))) for workers in (1, 4)]
    assert longest[0] > longest[1]
    assert len(parts_of_work(answers, 4)) >= 4


@pytest.mark.parametrize(
    ("kind", "verdict"),
    [
        ("reference", FULL),
        ("variant", FULL),
        ("stub", NONE),
        ("mistake", NAMED),
        ("remark", REMARKED),
        ("mutant", HALF),
        ("mutant", REMARKED),
    ],
)
def test_right_verdicts_have_no_problem(kind: str, verdict: ExerciseVerdict) -> None:
    assert problem_with(answer(kind), verdict) is None


@pytest.mark.parametrize(
    ("kind", "verdict", "told"),
    [
        ("reference", HALF, "loses marks: a (it is transposed)"),
        ("variant", HALF, "loses marks"),
        ("stub", HALF, "the transposed earns 0.5: b"),
        ("mistake", FULL, "keeps full marks"),
        ("mistake", REMARKED, "keeps full marks"),
        ("mistake", HALF, "named nothing"),
        ("remark", FULL, "remarked is nothing"),
        ("remark", replace(HALF, remarks=REMARKED.remarks), "loses marks"),
        ("remark", replace(FULL, remarks=(Remark("inverted", "."),)), "remarked is inverted"),
        ("variant", REMARKED, "a right answer gets a remark: transposed"),
        ("mistake", replace(HALF, misconceptions=("inverted",)), "named inverted"),
        ("mutant", FULL, "no test sees this change"),
    ],
)
def test_wrong_verdicts_are_told(kind: str, verdict: ExerciseVerdict, told: str) -> None:
    assert told in (problem_with(answer(kind), verdict) or "")


def test_an_answer_that_nothing_here_can_judge_is_no_problem_and_says_why() -> None:
    why = "Triton is not installed where this was graded."
    tests = tuple(replace(one, outcome="pending", symptom=why) for one in FULL.tests)
    waiting = replace(FULL, tests=tests)
    for kind in ("reference", "variant", "stub", "mistake", "mutant"):
        assert problem_with(answer(kind), waiting) is None
    assert proof("mistake", waiting).absent == why
    assert proof("mistake", FULL).absent is None
    assert proof("mistake", HALF).absent is None


def test_a_grader_that_fails_is_told_whatever_the_answer() -> None:
    broken = replace(FULL, reason="grader_error", detail="KeyError: 'x'")
    for kind in ("reference", "mistake", "stub"):
        assert "a grader failed: KeyError" in (problem_with(answer(kind), broken) or "")


def test_a_mutant_with_a_reason_keeps_full_marks_and_must() -> None:
    excused = replace(answer("mutant"), reason="Both are equally wide.")
    assert problem_with(excused, FULL) is None
    assert "Both are equally wide" in (problem_with(excused, HALF) or "")


def proof(kind: str, verdict: ExerciseVerdict, exercise: Exercise = EXERCISE) -> Proof:
    return Proof("01", replace(answer(kind), exercise=exercise), verdict, None)


def test_the_matrix_counts_what_became_of_the_answers() -> None:
    excused = replace(answer("mutant"), reason="Both are equally wide.")
    (row,) = rows(
        [
            proof("reference", FULL),
            proof("stub", NONE),
            *(proof("mistake", verdict) for verdict in (FULL, HALF, NAMED)),
            *(proof("variant", verdict) for verdict in (FULL, FULL, HALF)),
            *(proof("mutant", verdict) for verdict in (FULL, HALF, NONE)),
            Proof("01", excused, FULL, None),
        ]
    )
    assert (row.name, row.share("reference"), row.share("stub")) == ("f", 1.0, 0.0)
    assert (row.count("mistake"), row.full("mistake"), row.named) == (3, 1, 1)
    assert (row.count("variant"), row.full("variant")) == (3, 2)
    assert (row.count("mutant"), row.full("mutant"), row.excused) == (4, 2, 1)
    assert (row.tests_on("cuda"), row.waiting_for("cuda")) == (1, 1)


def test_a_row_counts_what_a_gpu_shows() -> None:
    def on_cuda(kind: str, outcome: str) -> Proof:
        there = replace(FULL.tests[2], outcome=outcome)  # type: ignore[arg-type]
        return proof(kind, replace(FULL, tests=(*FULL.tests[:2], there)))

    found = [on_cuda("reference", "passed")]
    found += [on_cuda("mistake", outcome) for outcome in ("passed", "failed", "failed")]
    row = MatrixRow("f", tuple(found))
    assert (row.tests_on("cuda"), row.waiting_for("cuda"), row.caught_on("cuda")) == (1, 0, 2)


def test_questions_share_a_row_below_the_code() -> None:
    quiz = [Exercise(name, 1.0, "quiz") for name in ("q1", "q2")]
    code = [Exercise(name, 2.0, "code") for name in ("f", "g")]
    order = [code[0], quiz[0], code[1], quiz[1]]
    found = rows([proof("reference", FULL, exercise) for exercise in order])
    assert [(row.name, row.count("reference")) for row in found] == [
        ("f", 1),
        ("g", 1),
        ("questions", 2),
    ]


def test_marks_that_all_wait_are_no_share() -> None:
    waits = replace(FULL, tests=FULL.tests[2:], max_points=0.5)
    assert MatrixRow("w", (proof("reference", waits),)).share("reference") is None


def test_a_test_that_no_mistake_fails_is_idle() -> None:
    assert idle_tests([proof("mistake", HALF), proof("mutant", NONE), proof("stub", NONE)]) == [
        "f: b"
    ]
    assert idle_tests([proof("mistake", HALF), proof("mistake", NONE)]) == []
    assert idle_tests([proof("stub", NONE)]) == []


@pytest.mark.parametrize(
    ("symptom", "tells"),
    [
        ("row 3 is wrong", True),
        ("your result is 0.25", True),
        ("weights of float32 do not sum to 1", False),
    ],
)
def test_a_symptom_with_a_number_of_its_own_is_found(symptom: str, tells: bool) -> None:
    failed = replace(HALF, tests=(replace(FAILED, symptom=symptom), *FULL.tests[1:]))
    assert telling_symptoms([proof("mistake", failed)]) == ([symptom] if tells else [])


def test_an_answer_that_returns_none_keeps_what_makes_a_module_and_nothing_else() -> None:
    function = (
        "import math\n\ndef f_root(x):\n    return math.sqrt(x)\n\ndef f(x):\n    return f_root(x)"
    )
    given: dict[str, Any] = {}
    exec(returning_none(function, EXERCISE), given)
    assert given["f"](4.0) is None
    assert given["f_root"](4.0) == 2.0
    module = (
        "class f:\n    def __init__(self, size):\n        self.size = size\n"
        "    def forward(self, x):\n        return x * self.size\n"
    )
    exec(returning_none(module, EXERCISE), given)
    made = given["f"](3)
    assert (made.size, made.forward(2)) == (3, None)
