"""What an exercise earned is one number, whoever writes it down."""

import pytest

from autograder.commands.marks_table import points
from autograder.course.reveal import Reveal
from autograder.feedback import marks_of
from autograder.feedback.words import number
from autograder.gradebook.marked import score_of
from autograder.judging.points import share
from autograder.verdicts import ExerciseVerdict, SubmissionVerdict, TestResult
from autograder.verdicts.contract import as_contract
from autograder.verdicts.totals import automatic

WEIGHTS = (3, 1.5, 0.5, 0.5, 1, 1, 0.5, 0.25)


@pytest.mark.parametrize("passed", range(1, len(WEIGHTS)))
@pytest.mark.parametrize("worth", [0.75, 1.0, 2.0, 3.3])
def test_gradebook_json_table_and_page_say_the_same(worth: float, passed: int) -> None:
    tests = tuple(
        TestResult(str(at), "", "passed" if at < passed else "failed", carries, "cpu")
        for at, carries in enumerate(share(worth, WEIGHTS))
    )
    verdict = ExerciseVerdict("x", worth, tests)
    submission = SubmissionVerdict("ada", "01-x", (verdict,))
    (listed,) = as_contract([submission], [automatic(submission)], "cpu")["submissions"]
    written = {
        repr(verdict.score),
        repr(score_of(verdict)),  # what nbgrader keeps, and its export
        repr(marks_of(verdict, Reveal()).earned),
        repr(listed["score"]),
        repr(listed["exercises"]["x"]["score"]),
    }
    assert len(written) == 1
    for shown in (number(verdict.score), points(verdict.score)):  # the page and the table
        assert float(shown) == verdict.score
