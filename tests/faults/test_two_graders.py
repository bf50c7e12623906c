"""Two graders at once on one course: each submission is graded once, by either."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gradebook_rows import url_of
from large_class import ASSIGNMENT
from records import read

pytestmark = pytest.mark.slow

HANGS = 300


@pytest.mark.parametrize(
    "gradebook", [pytest.param("of-an-earlier-run", marks=pytest.mark.in_full), "none-yet"]
)
def test_two_runs_of_autograder_grade_at_once_lose_and_double_nothing(
    prepared: Any, course: Path, grade: Callable[..., Any], gradebook: str
) -> None:
    if gradebook == "none-yet":  # nor a secret that hidden inputs are drawn from
        (course / "gradebook.db").unlink()
        shutil.rmtree(course / ".autograder")
        shutil.rmtree(course / "autograded")
    runs = [grade(cwd=course) for _ in range(2)]
    for process, output in runs:
        assert process.wait(HANGS) == 0, output.read_text()
        assert "12 graded, 0 ungraded" in output.read_text()
    assert read(url_of(course)) == prepared.graded


def test_stock_nbgrader_at_the_same_time_loses_and_doubles_nothing(
    prepared: Any,
    course: Path,
    grade: Callable[..., Any],
    scripts: Path,
    environment: dict[str, str],
) -> None:
    ours, output = grade(cwd=course)
    stock = subprocess.run(
        [scripts / "nbgrader", "autograde", ASSIGNMENT],
        cwd=course,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=HANGS,
    )
    assert stock.returncode == 0, stock.stdout
    assert ours.wait(HANGS) == 0, output.read_text()
    assert read(url_of(course)) == prepared.graded
