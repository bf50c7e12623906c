"""How long a report on a class takes: from nothing kept, and from what an earlier one has kept.

`python -m benchmarks.report [--students 50 500 5000] [--write FILE]` grades a class of 50, half of
the answers wrong. Larger classes are these 50 many times over, each copy with a notebook, verdicts,
record and gradebook rows of its own, written by the code that grading writes them with.
"""

import argparse
import hashlib
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import psutil

from autograder.course import Course
from autograder.gradebook.pending import Pending
from autograder.gradebook.records import Record, record_file, write_record
from autograder.gradebook.rows import Entry, Rows, released
from autograder.gradebook.scores import open_gradebook
from autograder.verdicts.verdict_store import VerdictStore, key_in
from benchmarks import machine
from benchmarks.classes import hand_in, make_course

MB = 2**20
GRADED = 50  # by grading; the others are copies
TOGETHER = 100  # rows that are written at once
DUE = datetime(2026, 10, 12, 18, 0)
KEPT = (".autograder/findings", ".autograder/answers")
PROGRAM = (sys.executable, "-P", "-m", "autograder")
HEADING = """\
| students | run | seconds | of processor | most memory, MB | page, MB | data, MB |
|--:|---|--:|--:|--:|--:|--:|"""
HOW = """\
`autograder report {assignment} --json FILE`, the whole command, start-up
included. The first run finds nothing kept, and reads every verdict and notebook; it leaves
`.autograder/findings` and `.autograder/answers`, from which the second run works. `autograder
grade` keeps the findings itself, so that an instructor's first report is between the two. {graded}
submissions were graded; the others are copies of these with notebooks, verdicts and rows of their
own."""


@dataclass(frozen=True)
class Run:
    """One `autograder report`.

    Attributes:
        students: how many handed in.
        run: what it found kept, in words.
        seconds: wall-clock time of the whole command.
        processor: seconds of processor time that it took, which other programs do not stretch.
        memory: the most that it held, in bytes.
        page: the page's size in bytes.
        data: the JSON's size in bytes.
    """

    students: int
    run: str
    seconds: float
    processor: float
    memory: int
    page: int
    data: int


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(prog="report", description=__doc__)
    options.add_argument("--students", type=int, nargs="+", default=[50, 500, 5000])
    options.add_argument("--assignment", default="01-attention-by-hand")
    options.add_argument("--write", metavar="FILE", type=Path, help="also write the page there")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="report-") as folder:
        runs = measured(Path(folder), chosen.assignment, sorted(chosen.students))
    page = "\n\n".join(
        (
            "# How long a report takes",
            table(runs),
            HOW.format(assignment=chosen.assignment, graded=GRADED),
            f"{machine.described()}.",
        )
    )
    print(f"\n{page}")
    if chosen.write:
        chosen.write.write_text(page + "\n", encoding="utf-8")


def measured(folder: Path, assignment: str, sizes: Sequence[int]) -> list[Run]:
    """Make classes of these sizes, each of the one before, and report on each twice."""
    course = make_course(folder)
    hand_in(course, assignment, min(GRADED, sizes[0]))
    done = subprocess.run(
        [*PROGRAM, "grade", assignment], cwd=folder, capture_output=True, text=True
    )
    if done.returncode != 0:
        raise RuntimeError(f"grading ended with {done.returncode}:\n{done.stdout[-2000:]}")
    runs = []
    here = min(GRADED, sizes[0])
    for size in sizes:
        copy_students(course, assignment, here, size)
        here = size
        for name in KEPT:
            shutil.rmtree(folder / name, ignore_errors=True)
        for run in ("nothing kept", "kept"):
            runs.append(report(folder, assignment, size, run))
            print(f"{size} students, {run}: {runs[-1].seconds:.1f} s", flush=True)
    return runs


def copy_students(course: Course, assignment: str, here: int, wanted: int) -> None:
    """Let more students hand in what the first of them did, each with a mark of their own."""
    store = VerdictStore(course.root / ".autograder" / "verdicts")
    with open_gradebook(course) as gradebook:
        rows = Rows(course, gradebook, released(gradebook, assignment))
        entries: list[Entry] = []
        for number in range(here, wanted):
            before, after = f"student{number % min(here, GRADED):04}", f"student{number:04}"
            entries.append(_copied(course, assignment, store, before, after))
            if len(entries) == TOGETHER or number == wanted - 1:
                rows.write(entries)
                entries = []


def _copied(course: Course, assignment: str, store: VerdictStore, before: str, after: str) -> Entry:
    """Copy a student's files under another id; gives what belongs into the gradebook."""
    for step in ("submitted", "autograded"):
        source = course.folder(step) / before / assignment / f"{assignment}.ipynb"
        text = source.read_text(encoding="utf-8").replace(before, after)
        target = course.folder(step) / after / assignment / source.name
        target.parent.mkdir(parents=True)
        target.write_text(text, encoding="utf-8")
    record = json.loads(record_file(course, assignment, before).read_bytes())
    verdicts = dict(_verdicts(store, record["verdicts"], after))
    kept = Record(verdicts, record["made_of"], record["scores"], tuple(record["notes"]))
    write_record(course, assignment, after, kept, text)
    number = int(after.removeprefix("student"))
    pending = [
        Pending(cell, cell, None, None, True, False)
        for cell, score in record["scores"].items()
        if score is None
    ]
    came = DUE - timedelta(minutes=number * 7919 % 10_000)
    return Entry(after, came, record["scores"], {}, pending)


def _verdicts(
    store: VerdictStore, before: Mapping[str, str], after: str
) -> Iterator[tuple[str, str]]:
    for exercise, identity in before.items():
        key = hashlib.sha256(f"{identity} {after}".encode()).hexdigest()
        verdict = store.find(key_in(identity))
        if verdict is not None:
            store.put(key, verdict, "cpu")
        yield exercise, key


def report(course: Path, assignment: str, students: int, run: str) -> Run:
    """Run `autograder report`.

    Raises:
        RuntimeError: it failed; the text has what it said.
    """
    page, data = course / "report.html", course / "report.json"
    started, before = time.perf_counter(), _processor_time()
    process = subprocess.Popen(
        [*PROGRAM, "report", assignment, "--json", data],
        cwd=course,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    most = 0
    while process.poll() is None:
        with suppress(psutil.Error):
            most = max(most, psutil.Process(process.pid).memory_info().rss)
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.05)
    seconds = time.perf_counter() - started
    said = process.stdout.read() if process.stdout else ""
    if process.returncode != 0 or f"{students} of {students} students graded" not in said:
        raise RuntimeError(f"reporting ended with {process.returncode}:\n{said[-2000:]}")
    processor = _processor_time() - before
    return Run(students, run, seconds, processor, most, page.stat().st_size, data.stat().st_size)


def _processor_time() -> float:
    """Seconds that all ended children took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def table(runs: Sequence[Run]) -> str:
    """All runs, in their order."""
    lines = [HEADING]
    for one in runs:
        cells = (
            str(one.students),
            one.run,
            f"{one.seconds:.1f}",
            f"{one.processor:.1f}",
            f"{one.memory / MB:.0f}",
            f"{one.page / MB:.1f}",
            f"{one.data / MB:.1f}",
        )
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
