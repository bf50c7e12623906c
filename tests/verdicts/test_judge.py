"""How an exercise's points go with its tests, and what happens where judging it fails by itself."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from autograder.course import Assignment, Exercise, load_course
from autograder.judging.plugin import Found
from autograder.proof import known_answers
from autograder.verdicts import ExerciseVerdict, Submission
from autograder.verdicts.judge import Rules, judge
from autograder.verdicts.messages import describe_setup
from autograder.verdicts.pool import Pool

NAME = "01-line-fitting"
PREDICT = Exercise("predict", 2.0, "code")
ON_CPU = Found("values", "Values.", "cpu", 3.0, "passed")
ON_GPU = Found("fused", "On a GPU.", "cuda", 1.0, "failed", "it is slow")


def judged(found: list[Found], cuda_points: bool) -> ExerciseVerdict:
    """The verdict where the hidden tests have found this; nobody's code is asked."""
    rules = Rules(Assignment(NAME, (PREDICT,)), {}, cuda_points)
    graders: Any = SimpleNamespace(run=lambda *_: found, on=lambda *_: None)
    student = SimpleNamespace(expect_values=list)
    session: Any = SimpleNamespace(
        judged={},
        cells=[],
        outcomes={},
        student=student,
        is_out_of_time=False,
        is_changed_below=lambda _: False,
    )
    (verdict,) = judge(rules, graders, session, [PREDICT.name], set(), "ada")
    return verdict


def test_a_check_without_points_is_told_and_changes_no_message() -> None:
    verdict = judged([ON_CPU, ON_GPU], cuda_points=False)
    assert (verdict.score, verdict.message, verdict.misconceptions) == (2.0, None, ())
    assert [test.outcome for test in verdict.tests] == ["passed", "failed"]
    assert [test.points for test in verdict.tests] == [2.0, 0.0]


def test_checks_of_a_gpu_carry_points_where_the_course_says_so() -> None:
    verdict = judged([ON_CPU, replace(ON_GPU, outcome="pending")], cuda_points=True)
    assert (verdict.score, verdict.pending_points) == (1.5, 0.5)


def test_an_exercise_that_only_a_gpu_can_check_is_still_worth_its_points() -> None:
    verdict = judged([replace(ON_GPU, outcome="pending")], cuda_points=False)
    assert (verdict.max_points, verdict.pending_points) == (2.0, 2.0)


@pytest.mark.parametrize("first", ["died", "fault"])
def test_a_hidden_test_that_failed_by_itself_outweighs_all_others(first: str) -> None:
    """Marks lost to its fault would look like the student's."""
    died: Any = SimpleNamespace(reason="timeout", detail="5 s")
    ended = replace(ON_CPU, outcome="failed", died=died)
    broke = replace(ON_CPU, name="shape", outcome="error", fault="KeyError: 'x'")
    found = [ended, broke] if first == "died" else [broke, ended]
    verdict = judged([ON_CPU, *found], cuda_points=False)
    assert (verdict.reason, verdict.detail) == ("grader_error", "shape: KeyError: 'x'")
    assert (verdict.score, verdict.pending_points) == (0.0, 2.0)


def test_what_fails_in_judging_one_exercise_costs_no_other(
    make_line_fitting: Callable[[Path], Path], tmp_path: Path
) -> None:
    """Here because it has no hidden test at all."""
    course = load_course(make_line_fitting(tmp_path / "course"))
    assignment = course.assignment(NAME)
    reference = next(known_answers(course, assignment))
    longer = replace(
        assignment, exercises=(*assignment.exercises, Exercise("untested", 1.0, "code"))
    )
    setup = partial(describe_setup, course, [longer], "cpu", "required")
    submission = Submission("ada", NAME, reference.cells)
    with closing(Pool(setup, 1)) as pool:
        predict, untested = pool.grade(submission, ["predict", "untested"])[0]
    assert (predict.reason, predict.score) == (None, 2.0)
    assert (untested.reason, untested.score, untested.pending_points) == ("grader_error", 0.0, 1.0)
    assert "needs a test that carries weight" in (untested.detail or "")
