"""kill -9 at random moments: the same command, run again, loses nothing and doubles nothing."""

import collections
import json
import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from gradebook_rows import url_of
from killing import Killer
from large_class import ASSIGNMENT
from log_of_marks import marks_in_gradebook, marks_in_log
from records import has_new_scores, read, stale_scores

pytestmark = pytest.mark.slow

SEED = 24
HANGS = 300  # seconds after which a process is said to hang


@dataclass
class Seen:
    """What was found wrong in the gradebook along the way, or at the end of a class."""

    stale: list[Any] = field(default_factory=list)
    lost: list[Any] = field(default_factory=list)
    doubled: list[Any] = field(default_factory=list)
    changed: list[Any] = field(default_factory=list)


@pytest.fixture(scope="module")
def twenty(prepare: Callable[[int], Any]) -> Any:
    """A class of twenty submissions."""
    return prepare(20)


@pytest.fixture
def fresh(twenty: Any, tmp_path: Path) -> Callable[[], Path]:
    """Another copy of the class, nothing graded of today."""

    def fresh() -> Path:
        folder = tmp_path / f"course{len(list(tmp_path.glob('course*')))}"
        shutil.copytree(twenty.folder, folder)
        return folder

    return fresh


def has_begun(course: Path, twenty: Any) -> bool:
    return has_new_scores(read(url_of(course)), twenty.before)


def look_in_between(course: Path, twenty: Any, seen: Seen) -> None:
    """Whatever the run got to: no score of an earlier version stands among new ones."""
    records = read(url_of(course))
    stale = stale_scores(records, twenty.before, twenty.graded)
    seen.stale += [(name, records.marks[name], twenty.graded.marks[name]) for name in stale]
    seen.doubled += records.doubled


def look_at_the_end(course: Path, twenty: Any, seen: Seen) -> None:
    """Every submission stands once, with the marks of an undisturbed run."""
    records, wanted = read(url_of(course)), twenty.graded
    assert records.rows == wanted.rows
    assert marks_in_log(course, ASSIGNMENT) == marks_in_gradebook(course, ASSIGNMENT)
    seen.doubled += records.doubled
    seen.lost += wanted.marks.keys() - records.marks.keys()
    seen.changed += [
        (name, mark, wanted.marks.get(name))
        for name, mark in records.marks.items()
        if mark != wanted.marks.get(name)
    ]
    for student in twenty.students:
        notebook = course / "autograded" / student / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
        assert json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    kept = course / ".autograder" / "verdicts"
    assert [path.name for path in kept.rglob("*") if path.name.startswith(".")] == []


def test_a_class_survives_kills_at_random_moments(
    twenty: Any,
    fresh: Callable[[], Path],
    grade: Callable[..., Any],
    run: Any,
    request: pytest.FixtureRequest,
    record_property: Callable[[str, object], None],
) -> None:
    wanted, seen = request.config.getoption("kills"), Seen()
    killer = Killer(random.Random(SEED))
    course, classes = fresh(), 0
    while len(killer.killed) < wanted:
        policy = ("required", "fallback")[classes % 2]
        begun = partial(has_begun, course, twenty)
        process, output = grade("--sandbox", policy, cwd=course)
        while len(killer.killed) < wanted and process.poll() is None:
            killer.kill_one(process, policy, begun)
            look_in_between(course, twenty, seen)
        ended = process.wait(HANGS)
        assert ended in (0, 1, -9), output.read_text()
        if ended == 0:
            look_at_the_end(course, twenty, seen)
            course, classes = fresh(), classes + 1
    done = run("autograder", "grade", cwd=course)
    assert done.returncode == 0, done.stdout + done.stderr
    look_at_the_end(course, twenty, seen)
    by_kind = collections.Counter(killer.killed)
    record_property(
        "counted",
        f"faults: {len(killer.killed)} processes killed over {classes + 1} classes of "
        f"{len(twenty.students)} "
        f"({', '.join(f'{kind} {by_kind[kind]}' for kind in sorted(by_kind))}): "
        f"{len(seen.lost)} grades lost, {len(seen.doubled)} doubled, {len(seen.changed)} changed, "
        f"{len(seen.stale)} stale scores seen",
    )
    assert seen == Seen()
    assert killer.left_behind(HANGS) == []


def test_what_a_power_cut_left_half_written_is_made_anew(
    prepared: Any, course: Path, run: Any
) -> None:
    """As a kill between two steps leaves it too; here every verdict is struck at once."""
    assert run("autograder", "grade", cwd=course).returncode == 0
    notebooks = sorted(course.glob("autograded/*/*/*.ipynb"))
    records = [json.loads(path.read_bytes()) for path in course.glob("autograded/*/*.json")]
    assert len(records) == len(notebooks)
    keys = sorted({key for record in records for key in record["verdicts"].values()})
    store = course / ".autograder" / "verdicts"
    kept = [file for key in keys if (file := store / key[:2] / f"{key}.json").exists()]
    assert len(kept) > len(notebooks)
    for number, verdict in enumerate(kept):
        verdict.with_name(f".{verdict.stem}.unfinished").write_bytes(verdict.read_bytes()[:99])
        if number % 3 == 0:
            verdict.unlink()
        else:
            verdict.write_bytes(b"" if number % 3 == 1 else verdict.read_bytes()[:99])
    for notebook in notebooks:
        notebook.chmod(0o644)
        notebook.write_bytes(notebook.read_bytes()[:99])
    done = run("autograder", "grade", cwd=course)
    assert done.returncode == 0, done.stdout + done.stderr
    seen = Seen()
    look_at_the_end(course, prepared, seen)
    assert seen == Seen()
