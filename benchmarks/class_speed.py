"""Where the time of a class goes: different submissions, half of the answers wrong, stage by stage.

`python -m benchmarks.class_speed [--submissions 50] [--assignment NAME] [--repeat 3]` prints
milliseconds a submission for each stage, with the spread over the repeats.
"""

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from autograder.build.register import register
from autograder.course import Course
from autograder.gradebook.book import Book
from autograder.gradebook.grade_class import grade_one
from autograder.gradebook.scores import open_gradebook
from autograder.notebooks.submitted import find_submitted
from autograder.verdicts import Grader
from benchmarks.classes import hand_in, make_course

BATCH = 10


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--submissions", type=int, default=50)
    options.add_argument("--assignment", default="01-attention-by-hand")
    options.add_argument("--repeat", type=int, default=3)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        course = make_course(Path(folder))
        hand_in(course, chosen.assignment, chosen.submissions)
        register(course, {chosen.assignment})
        for workers in (1, 2):
            runs = [measure(course, chosen.assignment, workers) for _ in range(chosen.repeat)]
            print(f"{chosen.submissions} submissions of {chosen.assignment}, {workers} at once:")
            for stage in runs[0]:
                figures = [1000 * run[stage] / chosen.submissions for run in runs]
                print(
                    f"  {stage:<28} {statistics.median(figures):7.1f} ms a submission"
                    f"  ({min(figures):.1f} to {max(figures):.1f})"
                )


def measure(course: Course, name: str, workers: int) -> dict[str, float]:
    """Seconds that each stage takes for the whole class."""
    for made in (".autograder/verdicts", "autograded"):
        shutil.rmtree(course.root / made, ignore_errors=True)
    grader = Grader(course, workers, device="cpu", assignments=[name])
    submitted = find_submitted(course.folder("submitted"), [name])
    seconds: dict[str, float] = {}
    try:
        with clock(seconds, "start (whole, once)"):
            grader.pool()
        with clock(seconds, "verdicts"), ThreadPoolExecutor(workers) as threads:
            graded = list(threads.map(lambda one: grade_one(grader, one), submitted))
        with clock(seconds, "verdicts again, stored"):
            for one in submitted:
                grade_one(grader, one)
        with open_gradebook(course) as gradebook:
            book = Book(grader, gradebook, name)
            with clock(seconds, "into the gradebook"):
                for start in range(0, len(graded), BATCH):
                    failures = book.write(graded[start : start + BATCH])
                    assert not any(failures), failures
            book = Book(grader, gradebook, name)
            with clock(seconds, "again, unchanged"):
                assert all(book.standing(one) for one in submitted)
    finally:
        grader.close()
    return seconds


@contextmanager
def clock(seconds: dict[str, float], stage: str) -> Iterator[None]:
    """Add what the block takes to a stage."""
    started = time.perf_counter()
    yield
    seconds[stage] = time.perf_counter() - started


if __name__ == "__main__":
    main()
