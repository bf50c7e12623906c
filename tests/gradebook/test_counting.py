"""What a hand-in is worth beside another of the same student's."""

import math
from dataclasses import replace

from autograder.gradebook.counting import Worth, worth_of
from autograder.verdicts import ExerciseVerdict, SubmissionVerdict, TestResult

RIGHT = TestResult("values", "The values.", "passed", 2.0, "cpu")
WAITS = TestResult("written", "A person reads it.", "pending", 3.0, "person")
CODE = ExerciseVerdict("code", 2.0, (RIGHT,))
WRITTEN = ExerciseVerdict("w1", 3.0, (WAITS,))
ADA = SubmissionVerdict("ada", "x", (CODE,))


def test_what_waits_for_a_person_decides_between_equal_totals_alone() -> None:
    answered = replace(ADA, exercises=(CODE, WRITTEN))
    assert worth_of(answered) == Worth(2.0, 3.0)
    assert worth_of(answered) > worth_of(ADA)
    better = replace(CODE, exercise="more", tests=(replace(RIGHT, points=2.5),), max_points=2.5)
    assert worth_of(replace(ADA, exercises=(better,))) > worth_of(answered)


def test_points_that_a_fault_of_ours_holds_back_count_as_earned() -> None:
    fault = replace(CODE, tests=(replace(RIGHT, outcome="pending"),), reason="grader_error")
    assert worth_of(replace(ADA, exercises=(fault,))) == worth_of(ADA)


def test_what_cannot_be_graded_is_worth_least_and_what_we_failed_to_grade_most() -> None:
    nothing = replace(ADA, exercises=(replace(CODE, tests=(replace(RIGHT, outcome="failed"),)),))
    assert worth_of(replace(ADA, reason="bad_notebook")) < worth_of(nothing) == Worth(0.0, 0.0)
    assert worth_of(replace(ADA, reason="grader_crashed")).points == math.inf
