"""An assignment's own files are there when it is graded, whatever a student handed in."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autograder.course import load_course
from autograder.gradebook.submission import read_own_files
from autograder.verdicts import Grader, Submission

pytestmark = pytest.mark.slow

NAME = "01-line-fitting"
SHOWS = (
    "import weights\n"
    "print(weights.ORIGIN, open('mine.txt').read(), len(open('tiny/model.bin', 'rb').read()))\n"
)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory, make_line_fitting: Callable) -> Path:
    root: Path = make_line_fitting(tmp_path_factory.mktemp("data") / "course")
    brought = root / "assignments" / NAME
    (brought / "tiny").mkdir()
    (brought / "weights.py").write_text("ORIGIN = 'ours'\n")
    (brought / "tiny" / "model.bin").write_bytes(bytes(600_000))
    with (root / "course_config.py").open("a") as config:
        config.write("c.SubmissionLimits.scratch_mb = 1\n")
    return root


@pytest.fixture(scope="module")
def grader(course: Path) -> Iterator[Grader]:
    grader = Grader(load_course(course))
    yield grader
    grader.close()


def test_the_assignments_files_are_there_and_win(grader: Grader) -> None:
    theirs = {
        "weights.py": b"ORIGIN = 'theirs'\n",
        "mine.txt": b"mine",
        "tiny": b"a file where a folder should be",
        "large.bin": bytes(900_000),  # with ours, more than one submission may have
    }
    submission = Submission("ada", NAME, (("predict", SHOWS),), theirs)
    (verdict,) = grader.verdict(submission, only="predict").exercises
    assert verdict.error is None
    assert verdict.printed == "ours mine 600000\n"


def test_a_students_copy_of_our_files_changes_and_costs_nothing(
    course: Path, tmp_path: Path
) -> None:
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "model.bin").write_bytes(bytes(60_000_000))
    (tmp_path / "weights.py").write_text("ORIGIN = 'theirs'\n")
    (tmp_path / "mine.txt").write_text("mine")
    assert read_own_files(load_course(course), NAME, tmp_path) == {"mine.txt": b"mine"}


def test_other_data_is_another_verdict(course: Path) -> None:
    submission = Submission("ada", NAME, (("predict", "x = 1"),))

    def key() -> str:
        grader = Grader(load_course(course))
        return grader.keys(submission)["predict"]

    before = key()
    assert key() == before
    added = course / "assignments" / NAME / "more.txt"
    added.write_text("more")
    try:
        assert key() != before
    finally:
        added.unlink()
    assert key() == before
