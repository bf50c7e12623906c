"""A verdict's key changes with all that the verdict depends on, and with nothing else."""

import importlib.metadata
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.course import Assignment, Exercise, load_course
from autograder.verdicts import Submission
from autograder.verdicts.key import Keys

SUBMISSION = Submission("ada", "03-causal-masking", (("causal_mask", "x = 1"),), {"a.txt": b"1"})


@pytest.fixture(scope="module")
def assignment(course_root: Path) -> Assignment:
    return load_course(course_root).assignment("03-causal-masking")


def key(
    root: Path,
    assignment: Assignment,
    submission: Submission = SUBMISSION,
    isolation: str = "required",
) -> str:
    keys = Keys(load_course(root), assignment, isolation)
    return keys.keys(submission)["causal_mask"]


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOGRADER_SECRET", "a secret for tests")


def test_equal_work_has_an_equal_key_whoever_did_it(
    course_root: Path, assignment: Assignment
) -> None:
    other = replace(SUBMISSION, student="bo")
    assert key(course_root, assignment) == key(course_root, assignment, other)


@pytest.mark.parametrize(
    "changed",
    [
        replace(SUBMISSION, cells=(("causal_mask", "x = 2"),)),
        replace(SUBMISSION, cells=((None, "x = 1"),)),
        replace(SUBMISSION, files={"a.txt": b"2"}),
        replace(SUBMISSION, files={"b.txt": b"1"}),
        replace(SUBMISSION, checks={"causal_mask": 2}),
    ],
)
def test_changed_work_has_another_key(
    course_root: Path, assignment: Assignment, changed: Submission
) -> None:
    assert key(course_root, assignment) != key(course_root, assignment, changed)


def test_secret_and_isolation_count(
    course_root: Path, assignment: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = key(course_root, assignment)
    assert key(course_root, assignment, isolation="none") != plain
    monkeypatch.setenv("AUTOGRADER_SECRET", "another secret for tests")
    assert key(course_root, assignment) != plain


@pytest.mark.parametrize(
    "line", ["c.SubmissionLimits.call_seconds = 7", "c.Devices.cuda_points = True"]
)
def test_limits_and_cuda_points_count(
    make_course: Callable[[Path], Path], assignment: Assignment, tmp_path: Path, line: str
) -> None:
    course = make_course(tmp_path / "course")
    plain = key(course, assignment)
    with (course / "course_config.py").open("a") as config:
        config.write(f"{line}\n")
    assert key(course, assignment) != plain


def test_points_count(course_root: Path, assignment: Assignment) -> None:
    def worth(points: float, bonus: bool = False) -> Assignment:
        return Assignment(assignment.name, (Exercise("causal_mask", points, "code", bonus),))

    assert key(course_root, worth(2.0)) != key(course_root, worth(3.0))
    assert key(course_root, worth(2.0)) != key(course_root, worth(2.0, bonus=True))
    assert key(course_root, worth(2.0)) == key(course_root, worth(2.0))


def test_another_build_of_the_same_version_changes_nothing(
    course_root: Path, assignment: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = key(course_root, assignment)
    version = importlib.metadata.version

    def on_another_machine(build: str) -> str:
        monkeypatch.setattr(
            "importlib.metadata.version",
            lambda name: version(name).partition("+")[0] + (build if name == "torch" else ""),
        )
        return key(course_root, assignment)

    assert on_another_machine("+cu130") == plain
    assert on_another_machine(".post1") != plain


def test_a_package_that_came_counts_where_it_was_waited_for(
    course_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = load_course(course_root)
    fused = course.assignment("05-fused-attention")
    submission = Submission("ada", fused.name, (("triton_attention", "x = 1"),), {})
    version = importlib.metadata.version

    def keys_with_triton(found: str | None) -> dict[str, str]:
        def version_here(name: str) -> str:
            if name == "triton" and found is None:
                raise importlib.metadata.PackageNotFoundError(name)
            return found if name == "triton" and found else version(name)

        monkeypatch.setattr("importlib.metadata.version", version_here)
        return Keys(course, fused, "required").keys(submission)

    absent, here, newer = (keys_with_triton(found) for found in (None, "3.7.1", "3.9.0"))
    changed = {name for name in absent if len({absent[name], here[name], newer[name]}) > 1}
    assert changed == {"triton_attention"}
    assert len({one["triton_attention"] for one in (absent, here, newer)}) == 3
