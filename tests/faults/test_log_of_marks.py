"""Whatever happens to the log of marks, marks count; and it says in the end what was written."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gradebook_rows import url_of
from large_class import ASSIGNMENT
from log_of_marks import lines, log_file, marks_in_gradebook, marks_in_log
from records import read

pytestmark = pytest.mark.slow
HANGS = 300


def agrees(course: Path) -> bool:
    return marks_in_log(course, ASSIGNMENT) == marks_in_gradebook(course, ASSIGNMENT) != {}


def test_a_full_disk_costs_lines_and_no_marks_and_the_next_run_adds_them(
    prepared: Any, course: Path, mounts: Any, scripts: Path, environment: dict[str, str], run: Any
) -> None:
    grade = scripts / "autograder", "grade"
    disk = log_file(course, ASSIGNMENT).parent
    kept = log_file(course, ASSIGNMENT).read_bytes()
    mounts.small_disk(disk, "64k")
    (mounts.inside(disk) / f"{ASSIGNMENT}.jsonl").write_bytes(kept)
    filler = mounts.fill(disk, left=4)  # room for a part of the lines: one is cut off
    done = mounts.run(*grade, cwd=course, environment=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert read(url_of(course)) == prepared.graded
    assert done.stderr.count("the log of marks, cannot be written (No space left") == 1
    mounts.must("rm", filler)
    mounts.must("mount", "-o", "remount,size=1m", disk)
    again = mounts.run(*grade, cwd=course, environment=environment)
    assert again.returncode == 0, again.stdout + again.stderr
    written = (mounts.inside(disk) / f"{ASSIGNMENT}.jsonl").read_bytes()
    assert written.startswith(kept)
    log_file(course, ASSIGNMENT).write_bytes(b"\n".join(filter(_is_whole, written.split(b"\n"))))
    assert agrees(course)


def _is_whole(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def test_what_is_broken_in_the_log_costs_no_marks(prepared: Any, course: Path, run: Any) -> None:
    log = log_file(course, ASSIGNMENT)
    whole = log.read_bytes()
    line = json.loads(whole.split(b"\n")[-2])
    odd = [{}, 3, None, [1], line | {"student": ["x"]}, line | {"to": {}}, line | {"when": "now"}]
    cut = b"\n".join(whole.split(b"\n")[:-6])[:-20]  # lines are lost, and half of another
    broken = b"\xff\x00{\n" * 99 + b"\n".join(json.dumps(one).encode() for one in odd) + b"\n"
    log.write_bytes(broken + cut)
    done = run("autograder", "grade", cwd=course)
    assert (done.returncode, done.stderr) == (0, "")
    assert read(url_of(course)) == prepared.graded
    shown = run("autograder", "log", "--all", "--json", "log.json", cwd=course)
    assert (shown.returncode, shown.stderr) == (0, "")
    told = json.loads((course / "log.json").read_bytes())
    assert any(one["why"].endswith("stopped before it could log it") for one in told)
    after = log.read_bytes()
    assert after.startswith(broken + cut + b"\n")
    log.write_bytes(b"\n".join(filter(_is_whole, after[len(broken) :].split(b"\n"))))
    assert agrees(course)


def test_a_log_that_cannot_be_used_at_all_costs_no_marks(
    prepared: Any, course: Path, run: Any
) -> None:
    log_file(course, ASSIGNMENT).unlink()
    log_file(course, ASSIGNMENT).mkdir()
    done = run("autograder", "grade", cwd=course)
    assert done.returncode == 0, done.stdout + done.stderr
    assert read(url_of(course)) == prepared.graded
    assert done.stderr.count("the log of marks, cannot be used (Is a directory)") == 1
    shown = run("autograder", "log", cwd=course)
    assert shown.returncode == 1
    assert "Traceback" not in shown.stderr


def test_two_graders_at_once_log_what_they_wrote(
    prepared: Any, course: Path, grade: Callable[..., Any]
) -> None:
    shutil.rmtree(course / ".autograder" / "log")
    both = [grade(cwd=course), grade(cwd=course)]
    for process, output in both:
        assert process.wait(HANGS) == 0, output.read_text()
    assert read(url_of(course)) == prepared.graded
    assert agrees(course)
    assert len(lines(course, ASSIGNMENT)) == len(
        {json.dumps(one) for one in lines(course, ASSIGNMENT)}
    )
