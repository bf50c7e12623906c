"""Ctrl-C in the middle of a class: it stops, says so, and the same command goes on."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gradebook_rows import url_of
from large_class import ASSIGNMENT
from records import has_new_scores, read, stale_scores

pytestmark = pytest.mark.slow

HANGS = 120  # seconds after which a process is said to hang


def test_an_interrupted_run_blames_no_student_and_the_next_one_finishes(
    prepared: Any,
    course: Path,
    scripts: Path,
    environment: dict[str, str],
    grade: Callable[..., tuple[subprocess.Popen[bytes], Path]],
) -> None:
    last = prepared.students[-1]
    (notebook,) = (course / "submitted" / last / ASSIGNMENT).glob("*.ipynb")
    text = notebook.read_text()
    assert f"# by {last}" in text
    # However fast the others are, the run is not through when the first of them is written.
    notebook.write_text(text.replace(f"# by {last}", "import time\\ntime.sleep(10)", 1))
    # Whatever starts the tests may ignore Ctrl-C, as a shell does for what it runs beside itself.
    process = subprocess.Popen(
        ["env", "--default-signal=INT", str(scripts / "autograder"), "grade"],
        cwd=course,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + HANGS
    while not has_new_scores(read(url_of(course)), prepared.before):
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to everything in the foreground
    said, _ = process.communicate(timeout=HANGS)
    assert process.returncode == 130, said
    assert "Stopped. The same command goes on" in said
    assert "Traceback" not in said
    assert "not_written" not in said
    now = read(url_of(course))
    assert not stale_scores(now, prepared.before, prepared.graded)
    assert now.marks != prepared.graded.marks

    notebook.write_text(text)
    again, output = grade(cwd=course)
    assert again.wait(HANGS) == 0, output.read_text()
    assert read(url_of(course)) == prepared.graded
