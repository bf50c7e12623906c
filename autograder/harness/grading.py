"""On a platform: grade what one student handed in, in a course that a parcel brought."""

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.course.limits import MIB
from autograder.harness.parcel import COURSE
from autograder.sandbox.machine_memory import bound_bytes, times_run_out


@dataclass(frozen=True)
class Handed:
    """What came of one submission.

    Attributes:
        submission: its entry in the JSON of `autograder grade`; None where grading failed.
        page: its feedback page; None where there is none.
        fault: what went wrong on our side, so that it has no mark; None where nothing did.
    """

    submission: dict[str, Any] | None
    page: Path | None
    fault: str | None = None


def grade_here(
    parcel: Path,
    scratch: Path,
    assignment: str,
    student: str,
    files: Path,
    *,
    with_page: bool = True,
) -> Handed:
    """Grade one submission with the commands that grade a class.

    Args:
        parcel: what `pack` wrote; it is not changed.
        scratch: an empty folder that students' code cannot read.
        assignment: the assignment's name.
        student: whose it is: personal questions depend on it.
        files: the folder with what was handed in.
        with_page: whether a feedback page is wanted.
    """
    root = scratch / COURSE
    shutil.copytree(parcel / COURSE, root)
    shutil.copytree(files, root / "submitted" / student / assignment, symlinks=True)
    marks = scratch / "marks.json"
    # A platform's machine has no containers of its own, and nobody there to trust the code.
    before = times_run_out()
    graded = _run(root, "grade", assignment, "--sandbox", "required", "--json", str(marks))
    if not marks.is_file():
        ended = f"it ended with {graded.returncode}"
        if times_run_out() > before:
            ended += f": memory ran out, {bound_bytes() // MIB} MB for all processes together"
        return Handed(None, None, graded.stderr.strip() or ended)
    sys.stderr.write(graded.stderr)
    (submission,) = json.loads(marks.read_text(encoding="utf-8"))["submissions"]
    if not with_page:
        return Handed(submission, None)
    _run(root, "feedback", assignment)
    page = root / "feedback" / student / assignment / f"{assignment}.html"
    return Handed(submission, page if page.is_file() else None)


def _run(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "autograder", *words]
    return subprocess.run(command, cwd=root, capture_output=True, text=True)
