"""What a GPU finds beside what the CPU has found, on a machine without one."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from autograder.course import Course, load_course
from autograder.course.errors import MachineError
from autograder.proof import known_answers
from autograder.verdicts import ExerciseVerdict, Grader, GradingUnavailable, Submission
from autograder.verdicts.grader import reachable
from autograder.verdicts.pool import GraderCrashed, Pool

NAME = "03-causal-masking"

pytestmark = pytest.mark.skipif(torch.cuda.is_available(), reason="a GPU is here")


class FailsAll:
    """A GPU on which every test of its own fails, which the CPU could not have found."""

    notes: tuple[str, ...] = ()

    def __init__(self, cpu: Pool) -> None:
        self._cpu = cpu

    def grade(self, submission: Submission, wanted: list[str]) -> object:
        def on_gpu(verdict: ExerciseVerdict) -> ExerciseVerdict:
            outcomes = {"cpu": "pending", "cuda": "failed"}
            tests = [replace(one, outcome=outcomes[one.device]) for one in verdict.tests]
            return replace(verdict, tests=tuple(tests))

        found, seconds = self._cpu.grade(submission, wanted)
        return [on_gpu(verdict) for verdict in found], seconds

    def close(self) -> None:
        self._cpu.close()


@pytest.fixture
def root(make_course: Callable[[Path], Path], tmp_path: Path) -> Path:
    return make_course(tmp_path / "course")


@pytest.fixture
def course(root: Path) -> Course:
    return load_course(root)


@pytest.fixture
def submission(course: Course) -> Submission:
    reference = next(known_answers(course, course.assignment(NAME)))
    return Submission("ada", NAME, reference.cells)


@pytest.fixture
def with_gpu(course: Course, monkeypatch: pytest.MonkeyPatch) -> Iterator[Grader]:
    """A grader that takes this machine for one with a GPU."""
    monkeypatch.setattr("autograder.verdicts.grader.why_no_gpu", lambda: None)
    grader = Grader(course, device="auto", assignments=[NAME])
    assert grader.device == "cuda"
    yield grader
    grader.close()


def mask_of(grader: Grader, submission: Submission) -> ExerciseVerdict:
    (found,) = grader.verdict(submission, only="causal_mask").exercises
    return found


def named(grader: Grader, submission: Submission) -> dict[str, str]:
    return grader.identities(submission, grader.verdict(submission, only="causal_mask"))


def by_device(verdict: ExerciseVerdict) -> dict[str, set[str]]:
    devices = {test.device for test in verdict.tests}
    return {one: {t.outcome for t in verdict.tests if t.device == one} for one in devices}


def test_a_gpu_that_cannot_be_reached_is_refused(course: Course) -> None:
    with pytest.raises(MachineError, match="they stay pending, and everything else is graded"):
        Grader(course, device="cuda")


@pytest.mark.parametrize("wanted", ["auto", "cpu", "cuda"])
@pytest.mark.parametrize("why_not", [None, "It is not here."])
def test_a_gpu_is_used_where_there_is_one(wanted: str, why_not: str | None) -> None:
    if wanted == "cuda" and why_not:
        with pytest.raises(MachineError, match=why_not):
            reachable(wanted, why_not)
    else:
        expected = "cpu" if wanted == "cpu" or why_not else "cuda"
        assert reachable(wanted, why_not) == expected


def test_a_gpu_that_is_not_found_leaves_its_tests_pending(
    submission: Submission, with_gpu: Grader
) -> None:
    found = mask_of(with_gpu, submission)
    assert by_device(found) == {"cpu": {"passed"}, "cuda": {"pending"}}
    assert any("no NVIDIA GPU" in note for note in with_gpu.notes), with_gpu.notes


@pytest.mark.slow
def test_each_device_runs_its_own_tests(
    course: Course, submission: Submission, with_gpu: Grader
) -> None:
    without = Grader(course, device="cpu", assignments=[NAME])
    try:
        assert by_device(mask_of(without, submission)) == {"cpu": {"passed"}, "cuda": {"pending"}}
        waiting = named(without, submission)
        assert without.stored(NAME, "ada", waiting, ())
        assert with_gpu.stored(NAME, "ada", waiting, ()) is None
        on_gpu = Pool(lambda: without._setup("cpu"), 1)
        with_gpu._pools["cuda"] = FailsAll(on_gpu)  # type: ignore[assignment]
        assert by_device(mask_of(with_gpu, submission)) == {"cpu": {"passed"}, "cuda": {"failed"}}
        assert list(with_gpu._pools) == ["cuda"], "what the CPU had found was computed again"
        assert by_device(mask_of(without, submission)) == {"cpu": {"passed"}, "cuda": {"failed"}}
        assert without.stored(NAME, "ada", waiting, ()) is None
        assert without.stored(NAME, "ada", named(without, submission), ())
    finally:
        without.close()


def test_code_that_died_on_the_cpu_is_not_tried_on_a_gpu(
    submission: Submission, with_gpu: Grader
) -> None:
    ends = (("causal_mask", "import os\ndef causal_mask(n, device=None): os._exit(3)"),)
    found = mask_of(with_gpu, Submission("ben", NAME, ends))
    assert found.reason == "crashed"
    assert by_device(found)["cuda"] == {"pending"}


@pytest.mark.parametrize("fault", [GraderCrashed("it fell"), GradingUnavailable("no driver")])
def test_a_fault_on_a_gpu_costs_nobody_the_cpus_marks(
    submission: Submission,
    with_gpu: Grader,
    fault: Exception,
) -> None:
    class Broken:
        notes: tuple[str, ...] = ()

        def grade(self, *_: object) -> None:
            raise fault

        def close(self) -> None:
            """It holds nothing."""

    with_gpu._pools["cuda"] = Broken()  # type: ignore[assignment]
    found = mask_of(with_gpu, submission)
    assert by_device(found) == {"cpu": {"passed"}, "cuda": {"pending"}}
    assert any(str(fault) in note for note in with_gpu.notes)


@pytest.mark.slow
@pytest.mark.parametrize("carry", [False, True])
def test_checks_of_a_gpu_carry_points_only_where_the_course_says_so(
    root: Path, submission: Submission, carry: bool
) -> None:
    with (root / "course_config.py").open("a") as config:
        config.write(f"c.Devices.cuda_points = {carry}\n")
    with closing(Grader(load_course(root), device="cpu", assignments=[NAME])) as grader:
        verdict = mask_of(grader, submission)
    assert by_device(verdict) == {"cpu": {"passed"}, "cuda": {"pending"}}
    assert verdict.score == verdict.decided_points
    assert (verdict.pending_points > 0) == carry
