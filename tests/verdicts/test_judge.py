"""How an exercise's points go with its tests, and what happens where judging it fails by itself."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from autograder.checks.kit.errors import Stop, StudentError
from autograder.course import Assignment, Exercise, load_course
from autograder.course.own_code import serve
from autograder.judging.attempts import Stopped
from autograder.judging.plugin import Found
from autograder.proof import known_answers
from autograder.verdicts import ExerciseVerdict, Submission
from autograder.verdicts.judge import Rules, judge
from autograder.verdicts.messages import describe_setup
from autograder.verdicts.pool import Pool

ROOT = Path(__file__).parents[2]
NAME = "01-line-fitting"
MASKS = ("causal_mask", "padding_mask")
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


class Changed:
    """Sessions of a notebook that changes below what its answers read; nobody's code is asked.

    Args:
        further: how many second runs there is time for.
    """

    def __init__(self, further: int) -> None:
        self.ran: list[tuple[str, str]] = []
        self._further = further

    def session(self, state: str) -> Any:
        return SimpleNamespace(
            judged={},
            cells=[],
            outcomes={},
            student=SimpleNamespace(expect_values=list, state=state),
            is_out_of_time=False,
            is_changed_below=lambda _: True,
            has_further_time=self._further > 0,
            up_to_check=lambda *_: self.session("at its check"),
            close=lambda: None,
        )

    def verdicts(self, session: Any, tests: Callable[[str], list[Found]]) -> list[ExerciseVerdict]:
        """The verdicts on two exercises, by what the tests find in each state."""
        serve(ROOT)
        several = [Exercise(name, 2.0, "code") for name in MASKS]

        def run(name: str, student: Callable[[], Any]) -> list[Found]:
            state = student().state
            self.ran.append((name, state))
            if state == "at its check":
                self._further -= 1
                session.has_further_time = self._further > 0
            return tests(state)

        graders: Any = SimpleNamespace(run=run, on=lambda *_: None)
        rules = Rules(Assignment(NAME, tuple(several)), {}, cuda_points=False)
        return judge(rules, graders, session, [one.name for one in several], set(), "ada")


def lost(state: str) -> list[Found]:
    """All that fails, but for what passes in the state of the check; told without running it."""
    stop = Stop(0, "cfg = 1", 1, "KeyError: 'a'")
    stopped = Stopped(StudentError("NameError", "name 'cfg' is not defined"), "", stop=stop)
    failed = replace(ON_CPU, outcome="failed", stopped=stopped)
    return [ON_CPU if state == "at its check" else failed]


def test_no_answer_is_judged_again_before_all_were_judged_once() -> None:
    again = Changed(further=2)
    verdicts = again.verdicts(again.session("whole"), lost)
    first, second = [(name, "whole") for name in MASKS], "at its check"
    assert again.ran == [*first, *((name, second) for name in MASKS)]
    assert [(one.score, one.at_its_check, one.is_final) for one in verdicts] == [
        (2, True, True)
    ] * 2


def test_what_time_does_not_suffice_for_leaves_the_first_verdict_which_is_not_kept() -> None:
    again = Changed(further=1)
    causal, padding = again.verdicts(again.session("whole"), lost)
    assert (causal.score, causal.is_final) == (2.0, True)
    assert (padding.score, padding.reason, padding.is_final) == (0.0, None, False)
    assert "could be judged a second time" in (padding.message or "")


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
