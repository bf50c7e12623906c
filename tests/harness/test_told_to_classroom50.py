"""What Classroom 50 is told of a mark: whole numbers, without loss, and no 0 that is none."""

from typing import Any

import pytest
from result_schemas import assert_classroom50
from submission_entries import claimed, exercise, submission, ungraded

from autograder.harness.marked_exercises import NoMark
from autograder.harness.on_classroom50.graded import outcome_of
from autograder.harness.on_classroom50.result import as_result, fenced

GIVEN = {
    "CLASSROOM": "fitting",
    "ASSIGNMENT": "lines",
    "SUBMISSION_TAG": "submit/2026-11-25T10-00-00Z-abcdef0",
    "COMMIT_URL": "https://example.org/commit",
    "RELEASE_URL": "https://example.org/release",
    "OWNER": "ada",
}
BY_HAND = {"waits_for": "your instructor"}


def result(entry: dict[str, Any]) -> dict[str, Any]:
    found = as_result(outcome_of(entry).rows, GIVEN)
    assert_classroom50(found)
    return found


def test_halves_tenths_and_hundredths_are_whole_numbers_and_lose_nothing() -> None:
    found = result(submission(a=exercise(0.5, 2.5), b=exercise(1.1, 1.3), c=exercise(0.07, 0.29)))
    assert [(one["score"], one["max-score"]) for one in found["tests"]] == [
        (50, 250),
        (110, 130),
        (7, 29),
    ]
    assert (found["score"], found["max-score"]) == (167, 409)
    assert {one["unit"] for one in found["tests"]} == {"hundredths of a point"}


def test_a_bonus_is_a_test_of_its_own_and_the_mark_can_be_had_back() -> None:
    entry = submission(a=exercise(2.0, 2.0), b=exercise(3.0, 3.0, bonus=True))
    found = result(entry)
    base = [one for one in found["tests"] if not one["bonus"]]
    assert (found["score"], found["max-score"]) == (500, 500)
    assert found["score"] / 100 == entry["score"] == 5.0
    assert sum(one["max-score"] for one in base) / 100 == entry["max_score"] == 2.0
    assert found["tests"][1]["test-name"] == "b (bonus)"
    assert "3 points that are a bonus" in outcome_of(entry).page


def test_a_bonus_that_was_left_out_does_not_fail_the_submission() -> None:
    entry = submission(a=exercise(2.0, 2.0), b=exercise(0.0, 3.0, bonus=True))
    assert outcome_of(entry).succeeded
    assert not outcome_of(submission(a=exercise(1.0, 2.0))).succeeded


def test_points_that_wait_are_told_and_in_no_maximum() -> None:
    entry = submission(
        a=exercise(2.0, 2.0), w1=exercise(0.0, 3.0, pending_points=3.0, feedback=BY_HAND)
    )
    found = result(entry)
    assert (found["score"], found["max-score"]) == (200, 200)
    waiting = found["tests"][1]
    assert waiting["test-name"] == "w1 (3 points wait)"
    assert (waiting["max-score"], waiting["waiting-points"]) == (0, 3.0)
    assert "Not graded yet: 3 points, from your instructor." in waiting["message"]
    assert outcome_of(entry).summary == "2 of 5 points, and 3 still open"
    assert outcome_of(entry).succeeded


def test_claims_that_do_not_hold_are_told_in_words() -> None:
    checks = [claimed("The error is a mean.", "failed"), claimed("It is a number.", "passed")]
    found = result(submission(a=exercise(1.0, 2.0, feedback={"checks": checks})))
    assert found["tests"][0]["message"] == "Not passed: The error is a mean."


def test_what_cannot_be_graded_is_told_and_is_no_mark() -> None:
    outcome = outcome_of(ungraded("bad_notebook", "it is no JSON"))
    found = as_result(outcome.rows, GIVEN)
    assert_classroom50(found)
    assert (found["score"], found["max-score"]) == (0, 0)
    assert not outcome.succeeded
    assert "it is no JSON" in outcome.page


@pytest.mark.parametrize(
    "entry",
    [
        ungraded("grader_error", "ValueError: 42"),
        ungraded("not_written", "the disk is full"),
        submission(a=exercise(2.0, 2.0), b=exercise(0.0, 2.0, reason="grader_error")),
        submission(a=exercise(1.001, 2.0)),
        submission(a=exercise(1.0, 2.0)) | {"score": 0.0},
    ],
)
def test_a_fault_of_ours_gives_no_result(entry: dict[str, Any]) -> None:
    with pytest.raises(NoMark) as fault:
        outcome_of(entry)
    assert "42" not in str(fault.value)


def test_nothing_ends_the_block_that_texts_stand_in() -> None:
    block = fenced("```\n# Full marks\n````")
    assert block.startswith("`````text\n")
    assert block.endswith("\n`````")
