"""A disk that fills up during a run: said in a sentence, and nothing is lost once there is room."""

import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gradebook_rows import url_of
from records import Records, read, stale_scores

pytestmark = pytest.mark.slow


@pytest.fixture
def grade_inside(
    mounts: Any, scripts: Path, environment: dict[str, str]
) -> Callable[[Path], subprocess.CompletedProcess[str]]:
    """Run `autograder grade` where the small disk is."""
    return lambda course: mounts.run(
        scripts / "autograder", "grade", cwd=course, environment=environment
    )


def test_marks_count_where_verdicts_cannot_be_kept(
    prepared: Any, course: Path, mounts: Any, grade_inside: Any
) -> None:
    mounts.small_disk(course / ".autograder" / "verdicts", "64k")  # room for a few
    done = grade_inside(course)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr.count("verdicts cannot be kept") == 1
    assert "No space left on device" in done.stderr
    assert read(url_of(course)) == prepared.graded


def test_a_gradebook_that_fills_up_is_told_and_the_next_run_finishes(
    prepared: Any, course: Path, mounts: Any, grade_inside: Any
) -> None:
    disk = course / "disk"
    mounts.small_disk(disk, "2m")
    shutil.move(course / "gradebook.db", mounts.inside(disk))
    with (course / "course_config.py").open("a") as config:
        config.write(f'c.CourseDirectory.db_url = "sqlite:///{disk}/gradebook.db"\n')
    filler = mounts.fill(disk, left=24)  # enough for some: SQLite's journal stands there as well
    refused_in_a_sentence(grade_inside(course))
    assert stale_scores(read_inside(mounts, disk), prepared.before, prepared.graded) == []
    mounts.must("rm", filler)
    done = grade_inside(course)
    assert done.returncode == 0, done.stdout + done.stderr
    assert read_inside(mounts, disk) == prepared.graded


@pytest.mark.parametrize(
    "room",
    [0, pytest.param(400, marks=pytest.mark.in_full)],
    ids="{}-kilobytes-left".format,
)
def test_a_full_course_disk_is_told_and_the_next_run_finishes(
    prepared: Any, tmp_path: Path, mounts: Any, grade_inside: Any, room: int
) -> None:
    course = tmp_path / "disk"
    mounts.small_disk(course, "20m")
    mounts.must("cp", "-rT", prepared.folder, course)
    filler = mounts.fill(course, left=room)
    refused_in_a_sentence(grade_inside(course))
    assert stale_scores(read_inside(mounts, course), prepared.before, prepared.graded) == []
    mounts.must("rm", filler)
    done = grade_inside(course)
    assert done.returncode == 0, done.stdout + done.stderr
    assert read_inside(mounts, course) == prepared.graded


def refused_in_a_sentence(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert "full" in done.stdout + done.stderr or "No space left" in done.stdout + done.stderr


def read_inside(mounts: Any, folder: Path) -> Records:
    """A gradebook on a disk that only the run sees."""
    with tempfile.TemporaryDirectory() as outside:
        shutil.copy(mounts.inside(folder) / "gradebook.db", outside)
        return read(url_of(Path(outside)))
