"""Another program writes to the gradebook for a while: graders wait for it."""

import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gradebook_rows import url_of
from large_class import ASSIGNMENT
from records import has_new_scores, read

pytestmark = pytest.mark.slow

LOCKED_SECONDS = 20
HANGS = 300


def wait_for_a_new_score(prepared: Any, course: Path) -> None:
    end = time.monotonic() + HANGS
    while time.monotonic() < end:
        if has_new_scores(read(url_of(course)), prepared.before):
            return
        time.sleep(0.1)
    raise TimeoutError("nothing was graded")


def test_a_gradebook_locked_for_20_seconds_costs_no_submission(
    prepared: Any, course: Path, grade: Callable[..., Any], scripts: Path, environment: Any
) -> None:
    ours, output = grade(cwd=course)
    wait_for_a_new_score(prepared, course)
    with sqlite3.connect(course / "gradebook.db", timeout=60, isolation_level=None) as writer:
        writer.execute("begin exclusive")
        stock = subprocess.Popen(
            [scripts / "nbgrader", "autograde", ASSIGNMENT, "--student=student00"],
            cwd=course,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        time.sleep(LOCKED_SECONDS)
        writer.execute("rollback")
    said, _ = stock.communicate(timeout=HANGS)
    assert stock.returncode == 0, said
    assert ours.wait(HANGS) == 0, output.read_text()
    assert read(url_of(course)) == prepared.graded
