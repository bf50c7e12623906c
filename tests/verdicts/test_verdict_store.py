"""What a GPU finds completes what a CPU has found, and leaves that as it is."""

from dataclasses import replace
from pathlib import Path

import pytest

from autograder.verdicts import ExerciseVerdict, TestResult
from autograder.verdicts.verdict_store import VerdictStore, identity, key_in

KEY = "ab12"


def verdict(cpu: str, cuda: str, message: str | None = None) -> ExerciseVerdict:
    tests = (
        TestResult("values", "The values.", cpu, 2.0, "cpu"),  # type: ignore[arg-type]
        TestResult("values", "The values.", cuda, 1.0, "cuda"),  # type: ignore[arg-type]
    )
    told = {} if message is None else {"message": message, "misconceptions": (f"{message}-slug",)}
    return ExerciseVerdict("f", 3.0, tests, **told)  # type: ignore[arg-type]


RIGHT_HERE, RIGHT_THERE = verdict("passed", "pending"), verdict("pending", "passed")


def outcomes(found: ExerciseVerdict | None) -> dict[str, str]:
    assert found is not None
    return {test.device: test.outcome for test in found.tests}


@pytest.fixture
def store(tmp_path: Path) -> VerdictStore:
    return VerdictStore(tmp_path / "verdicts")


def test_what_more_time_could_have_changed_is_kept_for_its_run_alone(store: VerdictStore) -> None:
    store.put(KEY, replace(RIGHT_HERE, out_of_time=True), "cpu")
    assert store.find(KEY) is not None
    assert VerdictStore(store._files.folder).find(KEY) is None


def test_a_gpu_completes_what_waited(store: VerdictStore) -> None:
    store.put(KEY, RIGHT_HERE, "cpu")
    found = store.find(KEY)
    assert found is not None
    assert (found.score, found.decided_points, found.pending_points) == (2.0, 2.0, 1.0)
    store.put(KEY, RIGHT_THERE, "cuda")
    found = store.find(KEY)
    assert found is not None
    assert (found.score, found.decided_points, found.pending_points) == (3.0, 3.0, 0.0)


def test_a_gpu_changes_no_mark_of_the_cpus(store: VerdictStore) -> None:
    store.put(KEY, verdict("failed", "pending", "here"), "cpu")
    store.put(KEY, verdict("passed", "failed", "there"), "cuda")
    found = store.find(KEY)
    assert found is not None
    assert outcomes(found) == {"cpu": "failed", "cuda": "failed"}
    assert (found.message, found.misconceptions) == ("here", ("here-slug",))


def test_what_only_a_gpu_shows_is_told(store: VerdictStore) -> None:
    store.put(KEY, RIGHT_HERE, "cpu")
    store.put(KEY, verdict("pending", "failed", "there"), "cuda")
    found = store.find(KEY)
    assert found is not None
    assert (found.message, found.misconceptions) == ("there", ("there-slug",))


def test_a_gpus_verdict_alone_is_none(store: VerdictStore) -> None:
    store.put(KEY, RIGHT_THERE, "cuda")
    assert store.find(KEY) is None


def test_a_timeout_on_a_gpu_is_tried_again_by_the_next_run(
    store: VerdictStore, tmp_path: Path
) -> None:
    store.put(KEY, RIGHT_HERE, "cpu")
    store.put(KEY, replace(verdict("pending", "failed"), reason="timeout"), "cuda")
    assert outcomes(store.find(KEY)) == {"cpu": "passed", "cuda": "failed"}
    assert outcomes(VerdictStore(tmp_path / "verdicts").find(KEY)) == {
        "cpu": "passed",
        "cuda": "pending",
    }


def test_a_completed_verdict_is_another() -> None:
    completed = RIGHT_HERE.completed_by(RIGHT_THERE)
    assert identity(KEY, RIGHT_HERE) == KEY
    assert identity(KEY, completed) != KEY
    assert key_in(identity(KEY, completed)) == KEY
    assert identity(KEY, replace(completed, reason="timeout")) == KEY  # it is tried again


def test_equal_work_that_was_in_time_wins(store: VerdictStore) -> None:
    """Two students hand in the same, and the machine was busy for one of them."""
    late = replace(verdict("failed", "pending"), reason="timeout")
    store.put(KEY, late, "cpu")
    assert store.find(KEY) == late
    store.put(KEY, RIGHT_HERE, "cpu")
    assert store.find(KEY) == RIGHT_HERE
    store.put(KEY, late, "cpu")
    assert store.find(KEY) == RIGHT_HERE


def test_a_damaged_file_of_a_gpu_is_none(store: VerdictStore, tmp_path: Path) -> None:
    store.put(KEY, RIGHT_HERE, "cpu")
    store.put(KEY, RIGHT_THERE, "cuda")
    for path in (tmp_path / "verdicts").rglob("*.json"):
        if path.stem != KEY:
            path.write_text("{")
    assert store.find(KEY) == RIGHT_HERE


def test_a_test_that_failed_by_itself_on_a_gpu_still_waits() -> None:
    found = RIGHT_HERE.completed_by(replace(verdict("pending", "error"), reason="grader_error"))
    assert found == RIGHT_HERE


def test_a_gpus_failure_without_points_takes_no_full_marks() -> None:
    def worthless(one: ExerciseVerdict) -> ExerciseVerdict:
        values, there = one.tests
        return replace(one, tests=(replace(values, points=3.0), replace(there, points=0.0)))

    found = worthless(RIGHT_HERE).completed_by(worthless(verdict("pending", "failed", "there")))
    assert (found.score, found.message, found.misconceptions) == (3.0, None, ())
