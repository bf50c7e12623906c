"""The machine's clock jumps: what is new is decided by content, and limits do not go by it."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gradebook_rows import url_of
from records import read

pytestmark = pytest.mark.slow

HANGS = 300
DAY = 24 * 60 * 60
JUMPS = (-400 * DAY, 400 * DAY, -DAY, 0)
SOURCE = Path(__file__).parent / "jumping_clock.c"


def preloaded(library: Path, folder: Path, seconds: int) -> dict[str, str]:
    """Put the clock to this many seconds from the right time; gives the variables that use it."""
    off_by = folder / "off-by"
    whole = folder / "off-by.new"
    whole.write_text(str(seconds))
    whole.replace(off_by)
    return {"LD_PRELOAD": str(library), "CLOCK_OFF_BY": str(off_by)}


@pytest.fixture
def jumping_clock(tmp_path: Path) -> Path:
    """A library that gives the program that loads it a clock that we can put forward and back."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler, to build the clock that jumps")
    library = tmp_path / "jumping_clock.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, SOURCE], check=True)
    shown = subprocess.run(
        [sys.executable, "-c", "import time; print(time.time())"],
        env=os.environ | preloaded(library, tmp_path, -DAY),
        check=True,
        capture_output=True,
        text=True,
    )
    assert float(shown.stdout) < time.time() - DAY / 2
    return library


def test_a_clock_that_jumps_during_a_run_changes_no_mark(
    prepared: Any, course: Path, grade: Callable[..., Any], jumping_clock: Path, tmp_path: Path
) -> None:
    process, output = grade(cwd=course, **preloaded(jumping_clock, tmp_path, 0))
    jumps = 0
    while process.poll() is None:
        time.sleep(0.2)
        preloaded(jumping_clock, tmp_path, JUMPS[jumps % len(JUMPS)])
        jumps += 1
    assert process.returncode == 0, output.read_text()
    assert jumps > len(JUMPS)
    assert read(url_of(course)) == prepared.graded


@pytest.mark.in_full
def test_a_second_version_dated_before_the_first_is_graded(
    prepared: Any, course: Path, run: Any
) -> None:
    """As when the clock was put back between the two."""
    for notebook in course.glob("submitted/*/*/*.ipynb"):
        os.utime(notebook, (0, 0))
    students = {student for student, _, _ in prepared.before.marks}
    done = run("autograder", "grade", *(f"--student={one}" for one in students), cwd=course)
    assert done.returncode == 0, done.stdout + done.stderr
    marks = read(url_of(course)).marks
    of_theirs = [name for name in prepared.before.marks if name[0] in students]
    assert {name: marks[name] for name in of_theirs} == {
        name: prepared.graded.marks[name] for name in of_theirs
    }
