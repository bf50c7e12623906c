"""What PrairieLearn is told of a mark: a share of what is decided, and no 0 that is none."""

import json
from typing import Any

import pytest
from result_schemas import assert_valid
from submission_entries import claimed, exercise, submission, ungraded

from autograder.harness.marked_exercises import NoMark
from autograder.harness.on_prairielearn.results import CUT, as_json, results_of


def results(entry: dict[str, Any]) -> dict[str, Any]:
    found = results_of(entry)
    assert_valid(found, "prairielearn_results")
    return found


def test_the_score_is_the_share_of_what_is_decided() -> None:
    entry = submission(a=exercise(1.5, 2.0), w1=exercise(0.0, 3.0, pending_points=3.0))
    found = results(entry)
    assert found["score"] == 0.75
    assert "1.5 of 5 points, and 3 still open. The score is out of the 2" in found["message"]
    assert found["points"] == {"score": 1.5, "max_score": 5.0, "pending_points": 3.0}
    assert [(one["points"], one["max_points"]) for one in found["tests"]] == [
        (1.5, 2.0),
        (0.0, 0.0),
    ]
    assert found["tests"][1]["description"] == "3 points wait"


def test_a_bonus_counts_up_to_the_whole_and_is_told_beyond_it() -> None:
    part = results(submission(a=exercise(1.0, 2.0), b=exercise(0.5, 3.0, bonus=True)))
    assert part["score"] == 0.75
    assert "100%" not in part["message"]
    whole = results(submission(a=exercise(2.0, 2.0), b=exercise(3.0, 3.0, bonus=True)))
    assert whole["score"] == 1.0
    assert whole["points"]["score"] == 5.0
    assert (
        "3 bonus points on top of the maximum. PrairieLearn's score ends at 100%"
        in (whole["message"])
    )


def test_claims_that_do_not_hold_are_told_in_words() -> None:
    checks = [claimed("The error is a mean.", "failed"), claimed("It is a number.", "passed")]
    told = exercise(1.0, 2.0, feedback={"message": "It looks like a sum.", "checks": checks})
    (one,) = results(submission(a=told))["tests"]
    assert one["message"] == "It looks like a sum.\nNot passed: The error is a mean."


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (ungraded("bad_notebook", "it is no JSON"), "it is no JSON"),
        (submission(w1=exercise(0.0, 3.0, pending_points=3.0)), "a person reads it"),
    ],
)
def test_what_no_program_can_grade_costs_no_attempt(entry: dict[str, Any], why: str) -> None:
    found = results(entry)
    assert found["gradable"] is False
    assert why in found["format_errors"][0]


def test_what_the_course_hides_is_not_told() -> None:
    hidden = exercise(1.0, 2.0, message="It looks like a sum.", tests=[{"claim": "It is a mean."}])
    (one,) = results(submission(a=hidden))["tests"]
    assert one["message"] == ""


@pytest.mark.parametrize(
    "entry",
    [
        ungraded("grader_crashed", "ValueError: 42"),
        submission(a=exercise(2.0, 2.0), b=exercise(0.0, 2.0, reason="grader_error")),
    ],
)
def test_a_fault_of_ours_gives_no_mark(entry: dict[str, Any]) -> None:
    with pytest.raises(NoMark) as fault:
        results_of(entry)
    assert "42" not in str(fault.value)


def test_results_are_cut_where_they_are_longest_and_say_so() -> None:
    long, short = (
        exercise(0.0, 2.0, feedback={"message": text}) for text in ("ü" * 900_000, "short.")
    )
    written = as_json(results(submission(a=long, b=short)))
    assert len(written) <= 1_000_000
    found = json.loads(written)
    assert_valid(found, "prairielearn_results")
    messages = [one["message"] for one in found["tests"]]
    assert messages[0].endswith(CUT)
    assert len(messages[0]) > 100_000
    assert messages[1] == "Short."
