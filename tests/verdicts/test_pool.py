"""The grading process: it starts, grades, and is mended when it breaks."""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from autograder.course import Assignment, Course, CourseError, Exercise, load_course
from autograder.proof import known_answers
from autograder.sandbox.gpu import why_no_gpu
from autograder.sandbox.inside import linux
from autograder.verdicts import GradingUnavailable, Submission
from autograder.verdicts.messages import describe_setup
from autograder.verdicts.pool import Pool

pytestmark = pytest.mark.slow

NAME = "01-line-fitting"
LEAVES_FILES = (
    "open('mine', 'w').write('x')",
    "__import__('tempfile').mkdtemp()",
    "__import__('numpy').save('/tmp/mine', x)",
    "__import__('os').abort()",
)


@pytest.fixture(scope="module")
def course(
    make_line_fitting: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Course:
    return load_course(make_line_fitting(tmp_path_factory.mktemp("pool") / "course"))


@pytest.fixture(scope="module")
def submission(course: Course) -> Submission:
    reference = next(known_answers(course, course.assignment(NAME)))
    return Submission("ada", NAME, reference.cells)


@pytest.fixture(scope="module")
def pool(course: Course) -> Iterator[Pool]:
    pool = Pool(partial(describe_setup, course, [course.assignment(NAME)], "cpu", "required"), 1)
    yield pool
    pool.close()


def test_it_grades(pool: Pool, submission: Submission) -> None:
    (verdict,), seconds = pool.grade(submission, ["predict"])
    assert verdict.score == verdict.max_points > 0
    assert seconds > 0


@pytest.mark.parametrize(
    "answer",
    ["'B' * 3", "'Bxyz'", "['B']", "numpy.zeros(2)", "None", "type('S', (str,), {})('B')", "True"],
)
def test_an_odd_quiz_answer_earns_nothing_and_breaks_nothing(pool: Pool, answer: str) -> None:
    cells = (("q1", f"import numpy\nq1 = {answer}"), ("q2", "q2 = 'C'"))
    first, second = pool.grade(Submission("ada", NAME, cells), ["q1", "q2"])[0]
    assert (first.score, first.reason) == (0.0, None)
    assert "A" in (first.message or "") or "not answered" in (first.message or "")
    assert second.score == second.max_points


def wait_for_workers(pool: Pool, count: int) -> None:
    """Wait until the grading process has forked its workers and they are at work."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with contextlib.suppress(psutil.NoSuchProcess):
            children = psutil.Process(pool._process.pid).children()
            workers = [one for one in children if "autograder.verdicts.server" in one.cmdline()]
            if len(workers) == count:
                time.sleep(1)
                return
        time.sleep(0.05)
    raise TimeoutError("the grading process has not started its workers")


def test_bystanders_do_not_pay_for_a_grading_process_that_breaks(
    course: Course, submission: Submission
) -> None:
    """However often it breaks beneath them: only a submission that breaks it itself is given up."""
    pool = Pool(partial(describe_setup, course, [course.assignment(NAME)], "cpu", "required"), 2)
    slow = replace(submission, cells=((None, "import time; time.sleep(2)"), *submission.cells))
    try:
        with ThreadPoolExecutor(2) as threads:
            graded = [threads.submit(pool.grade, slow, ["predict"]) for _ in range(2)]
            for _ in range(2):
                wait_for_workers(pool, 2)
                os.killpg(pool._process.pid, signal.SIGKILL)
            verdicts = [one.result()[0][0] for one in graded]
    finally:
        pool.close()
    assert all(verdict.score == verdict.max_points for verdict in verdicts)


def test_a_killed_grading_process_is_replaced_and_the_submission_graded(
    pool: Pool, submission: Submission
) -> None:
    os.killpg(pool._process.pid, signal.SIGKILL)
    (verdict,), _ = pool.grade(submission, ["predict"])
    assert verdict.score == verdict.max_points > 0


def test_a_grading_process_leaves_no_files(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    wrong = [
        Submission("ada", NAME, (("predict", f"def predict(x, slope, intercept): {body}"),))
        for body in LEAVES_FILES
    ]
    setup = partial(describe_setup, course, [course.assignment(NAME)], "cpu", "required")
    with contextlib.closing(Pool(setup, 2)) as pool, ThreadPoolExecutor(2) as both:
        found = list(both.map(lambda one: pool.grade(one, ["predict"])[0][0], wrong))
    assert [verdict.score for verdict in found] == [0.0] * len(wrong)
    assert list(tmp_path.iterdir()) == []


def test_graders_that_do_not_load_are_told(course: Course, tmp_path: Path) -> None:
    unknown = Assignment("09-nothing-there", (Exercise("f", 1.0, "code"),))
    with pytest.raises(GradingUnavailable, match="graders/nothing_there is missing"):
        Pool(partial(describe_setup, course, [unknown], "cpu", "required"), 1)


@pytest.fixture
def descendants() -> Iterator[Callable[[], set[psutil.Process]]]:
    """Gives this process's descendants, those among them whose parents have ended."""
    adopt_orphans(True)
    yield lambda: set(psutil.Process().children(recursive=True))
    adopt_orphans(False)


def adopt_orphans(whether: bool) -> None:
    """Become, or no longer be, the parent of descendants whose own has ended."""
    set_child_subreaper = 36
    linux.prctl(set_child_subreaper, whether)


@pytest.mark.parametrize("policy", ["required", "fallback"])
def test_a_course_found_wrong_while_the_grading_process_starts_leaves_nothing(
    policy: str,
    descendants: Callable[[], set[psutil.Process]],
    course: Course,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    before = descendants()

    def setup() -> Iterator[dict[str, Any]]:
        yield next(describe_setup(course, [], "cpu", policy))
        raise CourseError("its source is wrong")

    with pytest.raises(CourseError, match="its source is wrong"):
        Pool(setup, 1)
    _, left = psutil.wait_procs(descendants() - before, timeout=5)  # killed, and gone at once
    assert left == []
    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(why_no_gpu() is None, reason="a GPU is here")
def test_a_refusal_is_heard_however_long_the_caller_takes(
    descendants: Callable[[], set[psutil.Process]], course: Course
) -> None:
    before = descendants()

    def setup() -> Iterator[dict[str, Any]]:
        yield next(describe_setup(course, [], "cuda", "fallback"))
        while any(one.status() != "zombie" for one in descendants() - before):
            time.sleep(0.05)
        yield {"assignments": []}

    with pytest.raises(GradingUnavailable, match="no NVIDIA GPU"):
        Pool(setup, 1)
