"""A written answer's verdict: points that wait for a person, decided without any process."""

from dataclasses import replace
from pathlib import Path

import pytest

from autograder.course import Assignment, Exercise, load_course
from autograder.verdicts import Grader, Submission
from autograder.verdicts.contract import as_contract
from autograder.verdicts.key import Keys
from autograder.verdicts.totals import automatic
from autograder.verdicts.written import judge_written

W = Exercise("w1", 3.0, "written")
CODE = Exercise("causal_mask", 2.0, "code")
ASSIGNMENT = Assignment("03-causal-masking", (CODE, W))
NOTHING = Submission("ada", ASSIGNMENT.name, (("causal_mask", "x = 1"),))
ANSWERED = replace(NOTHING, written={"w1": "a hash"})


def test_an_answer_leaves_its_points_open_and_none_loses_them() -> None:
    waiting, lost = judge_written(W, True), judge_written(W, False)
    assert (waiting.score, waiting.decided_points, waiting.pending_points) == (0, 0, 3)
    assert (lost.score, lost.decided_points, lost.pending_points) == (0, 3, 0)
    assert waiting.message is None
    assert lost.message == "There is no answer in this cell."
    assert (waiting.reason, lost.reason) == (None, None)


@pytest.fixture
def keys(course_root: Path, monkeypatch: pytest.MonkeyPatch) -> Keys:
    monkeypatch.setenv("AUTOGRADER_SECRET", "a secret for tests")
    return Keys(load_course(course_root), ASSIGNMENT, "required")


def test_its_key_is_the_answers_alone_and_no_other_key_knows_it(keys: Keys) -> None:
    other_code = replace(ANSWERED, cells=())
    other_answer = replace(ANSWERED, written={"w1": "another hash"})
    assert keys.keys(ANSWERED)["w1"] == keys.keys(other_code)["w1"]
    found = [keys.keys(one) for one in (NOTHING, ANSWERED, other_answer)]
    assert len({one["w1"] for one in found}) == 3
    assert len({one["causal_mask"] for one in found}) == 1


def test_no_grading_process_is_asked(course_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOGRADER_SECRET", "a secret for tests")
    course = load_course(course_root)
    grader = Grader(course)
    verdict = grader.verdict(ANSWERED, only="w1")
    assert not grader._pools
    told = as_contract([verdict], [automatic(verdict)], "cpu")
    assert told["sandbox"] == "unused"
    (submission,) = told["submissions"]
    assert (submission["score"], submission["max_score"], submission["status"]) == (0, 3, "graded")
    assert submission["pending_points"] == 3
    (test,) = submission["exercises"]["w1"]["tests"]
    told_of_it = (test["name"], test["outcome"], test["points"], test["device"])
    assert told_of_it == ("answer", "pending", 3.0, "person")
