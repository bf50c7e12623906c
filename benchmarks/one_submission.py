"""How long whoever grades a single submission waits, with nothing running beforehand.

`python -m benchmarks.one_submission [ASSIGNMENT ...] [--repeat 5] [--write FILE]` hands in one
submission of each assignment, half of its answers wrong, and grades it with `autograder grade
--student` as a person would: every process is started anew, no verdict is kept, and the gradebook
is there or is made. The first run of each reads files that the others find in memory, and does not
count. Prints seconds, with the spread over the repeats.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from autograder.course import Course
from benchmarks.classes import hand_in, make_course
from benchmarks.machine import ROOT, described

STUDENT = "student0000"
GRADEBOOK = "gradebook.db"
GRADED = (".autograder/verdicts", "autograded")  # what a run leaves beside the gradebook


def main() -> None:
    """Measure, and print or write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("assignments", metavar="ASSIGNMENT", nargs="*")
    options.add_argument("--repeat", type=int, default=5)
    options.add_argument("--write", type=Path)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        course = make_course(Path(folder))
        seconds = {
            name: {
                "in a course with a gradebook": timed(course, name, chosen.repeat, GRADED),
                "in a new course": timed(course, name, chosen.repeat, (*GRADED, GRADEBOOK)),
                "again, unchanged": timed(course, name, chosen.repeat, ()),
            }
            for name in chosen.assignments or course.sources
        }
    helped = several(lambda: run("--help"), chosen.repeat)
    text = report(seconds, helped)
    print(text)
    if chosen.write:
        chosen.write.write_text(text, encoding="utf-8")


def timed(course: Course, name: str, repeat: int, without: tuple[str, ...]) -> list[float]:
    """Seconds that grading one submission takes, in each of several runs.

    Args:
        course: one made for this.
        name: the assignment's name; its submission is made when there is none.
        repeat: runs that count.
        without: what is removed from the course before each run.

    Raises:
        RuntimeError: it was not graded.
    """
    if not (course.folder("submitted") / STUDENT / name).exists():
        hand_in(course, name, 1)

    def grade() -> float:
        for made in without:
            place = course.root / made
            place.unlink() if place.is_file() else shutil.rmtree(place, ignore_errors=True)
        return run("grade", name, "--student", STUDENT, "--course", str(course.root))

    return several(grade, repeat)


def several(action: Callable[[], float], repeat: int) -> list[float]:
    """The seconds of some runs, after one that does not count."""
    action()
    return [action() for _ in range(repeat)]


def run(*arguments: str) -> float:
    """Seconds of the `autograder` command, from its start until it has ended.

    Raises:
        RuntimeError: it ended with an error.
    """
    # Installed packages have their bytecode; so does this one, wherever it may be written.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "autograder", *arguments]
    start = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
    return seconds


def report(seconds: dict[str, dict[str, list[float]]], helped: list[float]) -> str:
    """The figures as a table, an assignment a row."""
    kinds = list(next(iter(seconds.values())))
    rows = [
        " | ".join([f"| {name}", *(spread(times[kind]) for kind in kinds)]) + " |"
        for name, times in seconds.items()
    ]
    return "\n".join(
        [
            "# One submission by itself",
            "",
            "Seconds of `autograder grade --student`, every process started anew, half of the",
            f"answers wrong: the median of {len(helped)} runs, the lowest and the highest.",
            "",
            f"| | {' | '.join(kinds)} |",
            "|---|" + "--:|" * len(kinds),
            *rows,
            "",
            f"`autograder --help`: {spread(helped)}.",
            "",
            f"{described()}.",
            "",
        ]
    )


def spread(times: list[float]) -> str:
    """The median, the lowest and the highest."""
    return f"{statistics.median(times):.2f} ({min(times):.2f} to {max(times):.2f})"


if __name__ == "__main__":
    main()
