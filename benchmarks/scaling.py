"""How grading grows with the class: time, and the memory of the command and of all its processes.

`python -m benchmarks.scaling [--submissions 50 500 5000] [--workers 1 2] [--write FILE]` hands in
different submissions, half of the answers wrong, then runs `autograder grade` twice over each
class: once from nothing and once with nothing changed.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks import machine
from benchmarks.classes import hand_in, make_course

MB = 2**20
EVERY = 0.5  # seconds between two looks at the memory
RUNS = ("first", "again")
HEADING = """\
| submissions | workers | run | seconds | a second | ms each | command, MB | all processes, MB |
|--:|--:|---|--:|--:|--:|--:|--:|"""
HOW = """\
Different submissions of {assignment}, half of the answers wrong; `again` is the same
command with nothing changed. Each figure is from one run of the whole command, start-up included.
Memory is the most that was held: by the command itself, as the kernel counts it, with what it
shares with other programs; and by all processes together, as seen every {every} s while all of them
are held still, where each page that several share counts once."""


@dataclass(frozen=True)
class Run:
    """One `autograder grade`.

    Attributes:
        submissions: how many were handed in.
        workers: how many were graded at once.
        run: one of RUNS.
        seconds: wall-clock time of the whole command.
        command: the most that the command itself held, in bytes.
        everything: the most that all of its processes held together, in bytes.
    """

    submissions: int
    workers: int
    run: str
    seconds: float
    command: int
    everything: int


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(prog="scaling", description=__doc__)
    options.add_argument("--submissions", type=int, nargs="+", default=[50, 500, 5000])
    options.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    options.add_argument("--assignment", default="01-attention-by-hand")
    options.add_argument("--write", metavar="FILE", type=Path, help="also write the page there")
    chosen = options.parse_args()
    runs: list[Run] = []
    for count in chosen.submissions:
        with tempfile.TemporaryDirectory(prefix="scaling-") as folder:
            runs += grade_twice(Path(folder), chosen.assignment, count, chosen.workers)
    page = "\n\n".join(
        (
            "# How grading grows with the class",
            table(runs),
            HOW.format(assignment=chosen.assignment, every=EVERY),
            *added(runs),
            f"{machine.described()}.",
        )
    )
    print(f"\n{page}")
    if chosen.write:
        chosen.write.parent.mkdir(parents=True, exist_ok=True)
        chosen.write.write_text(page + "\n", encoding="utf-8")


def grade_twice(folder: Path, assignment: str, count: int, workers: Sequence[int]) -> list[Run]:
    """Hand in a class in a new folder, and grade it from nothing and again, for each `workers`."""
    course = make_course(folder)
    hand_in(course, assignment, count)
    runs = []
    for many in workers:
        aside = Path(tempfile.mkdtemp(prefix=".graded-", dir=folder))
        for made in (".autograder/verdicts", "autograded", "gradebook.db"):
            with suppress(FileNotFoundError):
                (folder / made).rename(aside / Path(made).name)
        for name in RUNS:
            seconds, command, everything = grade(folder, assignment, many)
            runs.append(Run(count, many, name, seconds, command, everything))
            print(f"{count} submissions, {many} workers, {name}: {seconds:.1f} s", flush=True)
    return runs


def grade(course: Path, assignment: str, workers: int) -> tuple[float, int, int]:
    """Run `autograder grade`.

    Returns:
        its seconds, and the most bytes that it, and that all of its processes, held.

    Raises:
        RuntimeError: it did not grade every submission.
    """
    program = [sys.executable, "-P", "-m", "autograder"]
    command = [*program, "grade", assignment, "--workers", str(workers)]
    with tempfile.TemporaryFile("w+") as said:
        started = time.perf_counter()
        process = subprocess.Popen(command, cwd=course, stdout=said, stderr=subprocess.STDOUT)
        most, most_of_all = 0, 0
        while process.poll() is None:
            alone, together = held(process.pid)
            most, most_of_all = max(most, alone), max(most_of_all, together)
            with suppress(subprocess.TimeoutExpired):
                process.wait(EVERY)
        seconds = time.perf_counter() - started
        if process.returncode != 0:
            said.seek(0)
            raise RuntimeError(f"grading ended with {process.returncode}:\n{said.read()[-2000:]}")
    return seconds, most, most_of_all


def held(command: int) -> tuple[int, int]:
    """Bytes: the most that a process ever held, and what it and its descendants hold now."""
    try:
        with still(psutil.Process(command)) as family:
            status = Path(f"/proc/{command}/status").read_text(encoding="utf-8")
            together = sum(map(share, family))
    except (OSError, psutil.NoSuchProcess):  # it has just ended
        return 0, 0
    peak = re.search(r"VmHWM:\s+(\d+) kB", status)
    return 1024 * int(peak[1]) if peak else 0, together


@contextmanager
def still(command: psutil.Process) -> Iterator[list[psutil.Process]]:
    """A process and its descendants, stopped meanwhile.

    Read one after another while they run, one's share of a page is read before another process
    lets go of it, and the other's after: the sum is of no moment, and too high.
    """
    family: list[psutil.Process] = []
    try:
        while new := {command, *command.children(recursive=True)}.difference(family):
            for one in new:
                family.append(one)
                with suppress(psutil.Error):
                    one.suspend()
        yield family
    finally:
        for one in family:
            with suppress(psutil.Error):
                one.resume()


def share(process: psutil.Process) -> int:
    """A process's bytes, of shared pages its share; all of them where that cannot be read."""
    try:
        return process.memory_full_info().pss
    except psutil.AccessDenied:
        return process.memory_info().rss
    except psutil.NoSuchProcess:
        return 0


def table(runs: Sequence[Run]) -> str:
    """All runs, in their order."""
    lines = [HEADING]
    for one in runs:
        cells = (
            str(one.submissions),
            str(one.workers),
            one.run,
            f"{one.seconds:.1f}",
            f"{one.submissions / one.seconds:.3g}",
            f"{1000 * one.seconds / one.submissions:.1f}",
            f"{one.command / MB:.0f}",
            f"{one.everything / MB:.0f}",
        )
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def added(runs: Sequence[Run]) -> list[str]:
    """What one more submission at once adds to the memory of all processes, for each class."""
    lines = []
    for count in dict.fromkeys(one.submissions for one in runs):
        first = [one for one in runs if one.submissions == count and one.run == "first"]
        low, high = (choose(first, key=lambda one: one.workers) for choose in (min, max))
        if high.workers > low.workers:
            more = (high.everything - low.everything) / (high.workers - low.workers) / MB
            lines.append(f"- {count} submissions: {more:.0f} MB for each one more graded at once.")
    return ["\n".join(lines)] if lines else []


if __name__ == "__main__":
    main()
