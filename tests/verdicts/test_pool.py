"""The grading process: it starts, grades, and is mended when it breaks."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autograder.course import Course, load_course
from autograder.proof import known_answers
from autograder.verdicts import GradingUnavailable, Submission
from autograder.verdicts.pool import Pool

NAME = "03-causal-masking"


@pytest.fixture(scope="module")
def course(make_course: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory) -> Course:
    return load_course(make_course(tmp_path_factory.mktemp("pool") / "course"))


@pytest.fixture(scope="module")
def submission(course: Course) -> Submission:
    reference = next(known_answers(course, course.assignment(NAME)))
    return Submission("ada", NAME, reference.cells)


@pytest.fixture(scope="module")
def pool(course: Course) -> Iterator[Pool]:
    pool = Pool(course, [course.assignment(NAME)], 1, "cpu", "required")
    yield pool
    pool.close()


def test_it_grades(pool: Pool, submission: Submission) -> None:
    (verdict,), seconds = pool.grade(submission, ["causal_mask"])
    assert verdict.score == verdict.max_score > 0
    assert seconds > 0
    assert verdict.picture is not None
    assert verdict.picture.shape[0] == verdict.picture.shape[1]


def test_a_killed_grading_process_is_replaced_and_the_submission_graded(
    pool: Pool, submission: Submission
) -> None:
    os.killpg(pool._process.pid, signal.SIGKILL)
    (verdict,), _ = pool.grade(submission, ["causal_mask"])
    assert verdict.score == verdict.max_score > 0


def test_without_cuda_points_nothing_waits(
    make_course: Callable[[Path], Path], tmp_path: Path, submission: Submission
) -> None:
    folder = make_course(tmp_path / "course")
    with (folder / "course_config.py").open("a") as config:
        config.write("c.Devices.cuda_points = False\n")
    course = load_course(folder)
    pool = Pool(course, [course.assignment(NAME)], 1, "cpu", "required")
    try:
        (verdict,), _ = pool.grade(submission, ["causal_mask"])
    finally:
        pool.close()
    assert "pending" in {test.outcome for test in verdict.tests}
    assert (verdict.pending_points, verdict.score) == (0.0, 2.0)


def test_graders_that_do_not_load_are_told(course: Course, tmp_path: Path) -> None:
    unknown = course.assignment(NAME).__class__("09-nothing-there", ())
    with pytest.raises(GradingUnavailable, match="nothing_there"):
        Pool(course, [unknown], 1, "cpu", "required")
