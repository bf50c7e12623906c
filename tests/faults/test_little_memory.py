"""Graded in a control group with less memory than the course lets a submission hold."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from line_fitting import AUTOMATIC, all_right, cell_of, hand_in

pytestmark = pytest.mark.slow

# What the course allows, and this group does not.
HOLDS_MUCH = "import numpy\nmuch = numpy.ones((600 << 20) // 8)\n"
UNIFIED = Path("/sys/fs/cgroup/cgroup.controllers").exists()
MEMORY = Path("/sys/fs/cgroup" if UNIFIED else "/sys/fs/cgroup/memory")
BOUND = "memory.max" if UNIFIED else "memory.limit_in_bytes"

Grade = Callable[[Path, int], subprocess.CompletedProcess[str]]


@pytest.fixture
def grade() -> Iterator[Grade]:
    """Run `autograder grade` in a control group of so many MB."""
    group = MEMORY / f"autograder-tests-{os.getpid()}"
    try:
        group.mkdir()
        (group / BOUND).write_text(str(1 << 30))
    except OSError as why:
        with suppress(OSError):
            group.rmdir()
        pytest.skip(f"no control group can be made here: {why.strerror}")

    def grade(course: Path, megabytes: int) -> subprocess.CompletedProcess[str]:
        (group / BOUND).write_text(str(megabytes << 20))
        enter = f'echo $$ > {group}/cgroup.procs && exec "$@"'
        command = [sys.executable, "-m", "autograder", "grade", "--workers", "1"]
        return subprocess.run(
            ["sh", "-c", enter, "sh", *command, "--json", "marks.json"],
            cwd=course,
            capture_output=True,
            text=True,
        )

    yield grade
    for _ in range(100):
        with suppress(OSError):
            group.rmdir()
            return
        time.sleep(0.1)


@pytest.fixture
def course(make_line_fitting: Callable[[Path], Path], run: Any, tmp_path: Path) -> Path:
    """The second course; ben's right answer holds much memory."""
    root = make_line_fitting(tmp_path / "course")
    assert run("autograder", "release", cwd=root).returncode == 0
    hand_in(root, "ada", all_right(root, "ada"))
    notebook = all_right(root, "ben")
    cell = cell_of(notebook, "predict")
    cell.source = HOLDS_MUCH + cell.source
    hand_in(root, "ben", notebook)
    return root


def test_where_memory_runs_out_there_is_no_mark_and_it_is_said(course: Path, grade: Grade) -> None:
    refused = grade(course, 100)
    assert refused.returncode == 1
    assert "too little memory here: 100 MB" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not (course / "marks.json").exists()

    done = grade(course, 600)
    assert done.returncode == 1
    assert "Memory ran out" in done.stderr
    assert "Give this machine or container 1536 MB" in done.stderr
    marks = {
        one["student"]: one
        for one in json.loads((course / "marks.json").read_text())["submissions"]
    }
    assert marks["ada"]["score"] == AUTOMATIC
    assert marks["ben"]["status"] == "ungraded"
    assert marks["ben"]["reason"] == "grader_crashed"
    assert marks["ben"]["score"] is None
    assert "Memory ran out" in marks["ben"]["detail"]

    shutil.rmtree(course / ".autograder" / "verdicts")
    enough = grade(course, 1536)
    assert enough.returncode == 0, enough.stderr
