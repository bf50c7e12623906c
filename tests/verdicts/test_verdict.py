"""Verdicts as data: scores, JSON, the contract, the store."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from autograder.checks.kit.chart import Chart
from autograder.course import Exercise
from autograder.verdicts import ExerciseVerdict, SubmissionVerdict, TestResult
from autograder.verdicts.attempted import is_left_out
from autograder.verdicts.contract import as_contract
from autograder.verdicts.totals import automatic
from autograder.verdicts.verdict import Remark, not_judged
from autograder.verdicts.verdict_files import VerdictFiles

VERDICT = ExerciseVerdict(
    exercise="causal_mask",
    max_points=4.0,
    tests=(
        TestResult("shape", "The shape.", "passed", 1.0, "cpu"),
        TestResult("values", "The values.", "failed", 2.0, "cpu", "it is transposed"),
        TestResult("fused", "On a GPU.", "pending", 1.0, "cuda"),
    ),
    misconceptions=("mask-transposed",),
    message="Your mask is the transpose.",
    hint="Which axis lists the keys?",
    sandbox="bwrap+landlock+seccomp",
    picture=Chart(
        "causal_mask(2)",
        "Grid: causal_mask(2). The may attend to The; cat may attend to The.",
        texts=(("yes", "no"), ("yes", "nan")),
        shades=((1.0, 0.0), (1.0, None)),
        rows=("The", "cat"),
        columns=("The", "cat"),
        sums=("1.00", "nan"),
    ),
)


def test_a_pending_test_neither_earns_nor_counts() -> None:
    assert (VERDICT.score, VERDICT.decided_points, VERDICT.pending_points) == (1.0, 3.0, 1.0)


def listed(submission: SubmissionVerdict) -> dict[str, Any]:
    (one,) = as_contract([submission], [automatic(submission)], "cpu")["submissions"]
    return one


def test_a_verdict_survives_json() -> None:
    back = ExerciseVerdict.from_json(json.loads(json.dumps(VERDICT.to_json())))
    assert back == VERDICT
    assert hash(back.picture) == hash(VERDICT.picture)  # tuples all the way down, no lists


def test_the_contract_has_every_field() -> None:
    submission = SubmissionVerdict("ada", "03-causal-masking", (VERDICT,), seconds=0.0912)
    contract = as_contract([submission], [automatic(submission)], "cpu")
    assert contract == {
        "schema": 2,
        "sandbox": "bwrap+landlock+seccomp",
        "device": "cpu",
        "submissions": [
            {
                "student": "ada",
                "assignment": "03-causal-masking",
                "status": "graded",
                "reason": None,
                "detail": None,
                "score": 1.0,
                "max_score": 4.0,
                "pending_points": 1.0,
                "auto_score": 1.0,
                "manual_score": None,
                "extra_credit": 0.0,
                "late_penalty": 0.0,
                "notes": [],
                "stopped": [],
                "seconds": 0.09,
                "exercises": {
                    "causal_mask": {
                        "score": 1.0,
                        "max_score": 4.0,
                        "pending_points": 1.0,
                        "auto_score": 1.0,
                        "manual_score": None,
                        "extra_credit": 0.0,
                        "bonus": False,
                        "attempted": True,
                        "status": "graded",
                        "reason": None,
                        "detail": None,
                        "misconception": "mask-transposed",
                        "misconceptions": ["mask-transposed"],
                        "message": "Your mask is the transpose.",
                        "remarks": [],
                        "ruling": None,
                        "tests": [
                            {
                                "name": "shape",
                                "claim": "The shape.",
                                "outcome": "passed",
                                "points": 1.0,
                                "device": "cpu",
                                "symptom": None,
                                "remark": False,
                            },
                            {
                                "name": "values",
                                "claim": "The values.",
                                "outcome": "failed",
                                "points": 2.0,
                                "device": "cpu",
                                "symptom": "it is transposed",
                                "remark": False,
                            },
                            {
                                "name": "fused",
                                "claim": "On a GPU.",
                                "outcome": "pending",
                                "points": 1.0,
                                "device": "cuda",
                                "symptom": None,
                                "remark": False,
                            },
                        ],
                    }
                },
            }
        ],
    }


def test_a_remark_is_told_at_full_marks_and_is_no_misconception() -> None:
    right = replace(VERDICT, tests=VERDICT.tests[:1], misconceptions=(), message=None)
    remarked = replace(right, remarks=(Remark("no-heads", "No heads are let through."),))
    one = listed(SubmissionVerdict("ada", "x", (remarked,)))["exercises"]["causal_mask"]
    assert one["misconception"] is None
    assert one["message"] == "A remark, which costs nothing: No heads are let through."
    assert one["remarks"] == [{"misconception": "no-heads", "text": "No heads are let through."}]
    assert ExerciseVerdict.from_json(json.loads(json.dumps(remarked.to_json()))) == remarked


def test_a_remark_stands_behind_the_mistake() -> None:
    remarked = replace(VERDICT, remarks=(Remark("no-heads", "No heads are let through."),))
    assert remarked.told == (
        "Your mask is the transpose. A remark, which costs nothing: No heads are let through."
    )


def test_tenths_add_up_to_what_is_printed() -> None:
    tests = tuple(TestResult(str(at), "", "passed", 0.1, "cpu") for at in range(3))
    verdict = ExerciseVerdict("x", 0.3, tests)
    assert sum(test.points for test in tests) != 0.3, "as floats do"
    assert (verdict.score, verdict.decided_points) == (0.3, 0.3)
    assert SubmissionVerdict("ada", "x", (verdict,) * 3).max_points == 0.9


def test_a_bonus_earns_and_leaves_the_maximum_as_it_is() -> None:
    bonus = replace(VERDICT, exercise="kernel", bonus=True)
    submission = SubmissionVerdict("ada", "x", (VERDICT, bonus))
    one = listed(submission)
    assert (one["score"], one["max_score"]) == (2.0, 4.0)
    assert one["exercises"]["kernel"] == one["exercises"]["causal_mask"] | {"bonus": True}
    alone = listed(SubmissionVerdict("ada", "x", (bonus,)))
    assert (alone["score"], alone["max_score"]) == (1.0, 0.0)


@pytest.mark.parametrize("bonus", [True, False])
def test_only_a_bonus_is_left_out_and_only_where_it_was_not_tried(bonus: bool) -> None:
    fails = TestResult("values", "v", "failed", 1.0, "cpu", "your code raised NotImplementedError")
    waits = TestResult("fused", "f", "pending", 1.0, "cuda")
    untouched = ExerciseVerdict("kernel", 2.0, (fails, waits), bonus=bonus)
    assert is_left_out(untouched) == bonus
    assert is_left_out(replace(untouched, reason="missing_cell")) == bonus
    for tried in (
        replace(untouched, tests=(replace(fails, symptom="it is transposed"), waits)),
        replace(untouched, tests=(replace(fails, outcome="passed", symptom=None), waits)),
        replace(untouched, tests=(waits,)),  # nothing is known of it yet
        replace(untouched, reason="timeout"),
    ):
        assert not is_left_out(tried)


def test_an_ungraded_submission_has_no_score() -> None:
    submission = SubmissionVerdict("ada", "x", (), "bad_notebook", "line 12 is not JSON")
    one = listed(submission)
    assert (one["status"], one["score"], one["max_score"]) == ("ungraded", None, None)
    assert (one["reason"], one["detail"]) == ("bad_notebook", "line 12 is not JSON")


def test_a_hidden_test_that_failed_by_itself_leaves_its_exercise_alone_to_a_person() -> None:
    """A zero would mark a right answer down, and look like a mark."""
    broken = replace(VERDICT, exercise="kernel", reason="grader_error", detail="KeyError: 'x'")
    judging_broke = not_judged(Exercise("merge", 2.0, "code", bonus=True), "RuntimeError: y")
    one = listed(SubmissionVerdict("ada", "x", (VERDICT, broken, judging_broke)))
    assert (one["status"], one["score"], one["pending_points"]) == ("graded", 1.0, 7.0)
    for name, worth in (("kernel", 4.0), ("merge", 2.0)):
        found = one["exercises"][name]
        assert (found["status"], found["reason"]) == ("ungraded", "grader_error")
        assert (found["score"], found["auto_score"]) == (0.0, None)
        assert found["pending_points"] == found["max_score"] == worth


def test_the_store_gives_back_what_was_put(tmp_path: Path) -> None:
    store = VerdictFiles(tmp_path)
    assert store.get("ab12") is None
    store.put("ab12", VERDICT)
    assert store.get("ab12") == VERDICT


@pytest.mark.parametrize("reason", ["timeout", "out_of_memory", "grader_error"])
def test_what_could_come_out_otherwise_is_never_kept(tmp_path: Path, reason: str) -> None:
    store = VerdictFiles(tmp_path)
    store.put("ab12", replace(VERDICT, reason=reason))
    assert store.get("ab12") is None


@pytest.mark.parametrize("content", ["", "{", "{}", "[]", '{"exercise": 1}'])
def test_a_damaged_file_is_no_verdict(tmp_path: Path, content: str) -> None:
    store = VerdictFiles(tmp_path)
    store.put("ab12", VERDICT)
    (tmp_path / "ab" / "ab12.json").write_text(content)
    assert store.get("ab12") is None


def test_a_reader_never_sees_half_a_verdict(tmp_path: Path) -> None:
    """The old file stays whole until the new one takes its name."""
    store = VerdictFiles(tmp_path)
    store.put("ab12", VERDICT)
    path = tmp_path / "ab" / "ab12.json"
    with path.open() as before:
        store.put("ab12", replace(VERDICT, message="another"))
        assert json.load(before)["message"] == VERDICT.message
    assert json.loads(path.read_text())["message"] == "another"


def test_no_half_written_file_is_left(tmp_path: Path) -> None:
    store = VerdictFiles(tmp_path)
    unwritable = replace(VERDICT, detail=b"not JSON")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        store.put("ab12", unwritable)
    assert list(tmp_path.rglob("*.*")) == []
