"""How long a class takes: different submissions, half of the answers wrong, to gradebook.db.

`python benchmarks/class_speed.py [--submissions 50] [--assignment NAME] [--repeat 3]` prints
milliseconds a submission for each stage, with the spread over the repeats.
"""

import argparse
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import nbformat

from autograder.build.register import register
from autograder.build.source_notebook import source_notebook
from autograder.course import Course, load_course
from autograder.gradebook.grade_class import verdict_on
from autograder.gradebook.grading import use
from autograder.gradebook.scores import Writer
from autograder.notebooks import find_submitted
from autograder.notebooks.sanitise import grade_id
from autograder.proof import known_answers
from autograder.verdicts import Grader

ROOT = Path(__file__).parent.parent
SEED = 1


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--submissions", type=int, default=50)
    options.add_argument("--assignment", default="01-attention-by-hand")
    options.add_argument("--repeat", type=int, default=3)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        course = make_course(Path(folder))
        make_class(course, chosen.assignment, chosen.submissions)
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


def make_course(folder: Path) -> Course:
    """A course of its own, so that the repository's gradebook stays as it is."""
    for name in ("course_config.py", "nbgrader_config.py"):
        shutil.copy(ROOT / name, folder)
    for name in ("assignments", "solutions"):
        shutil.copytree(ROOT / name, folder / name)
    return load_course(folder)


def make_class(course: Course, name: str, count: int) -> None:
    """Write `count` different notebooks; every exercise is right or wrong with equal chance."""
    assignment = course.assignment(name)
    answers: dict[str, dict[bool, list[str]]] = {}
    for answer in known_answers(course, assignment):
        source = dict(answer.cells)[answer.exercise.name]
        right = answer.kind in ("reference", "variant")
        answers.setdefault(answer.exercise.name, {True: [], False: []})[right].append(source)
    dice = random.Random(SEED)
    for number in range(count):
        notebook = source_notebook(course, assignment)
        for cell in notebook.cells:
            if grade_id(cell) in answers:
                source = dice.choice(answers[grade_id(cell)][dice.random() < 0.5])
                cell.source = f"{source}\n# by student {number}"
        folder = course.folder("submitted") / f"student{number:04}" / name
        folder.mkdir(parents=True)
        nbformat.write(notebook, folder / f"{name}.ipynb")


def measure(course: Course, name: str, workers: int) -> dict[str, float]:
    """Seconds that each stage takes for the whole class."""
    shutil.rmtree(course.root / ".autograder" / "verdicts", ignore_errors=True)
    grader = Grader(course, workers, device="cpu")
    submitted = find_submitted(course.folder("submitted"), [name])
    seconds: dict[str, float] = {}
    try:
        with clock(seconds, "start (whole, once)"):
            _ = grader.pool
        with clock(seconds, "verdicts"), ThreadPoolExecutor(workers) as threads:
            list(threads.map(lambda one: verdict_on(grader, one), submitted))
        with clock(seconds, "verdicts again, stored"):
            for one in submitted:
                verdict_on(grader, one)
        use(grader)
        writer = Writer(course)
        with clock(seconds, "nbgrader's autograde"):
            for one in submitted:
                failure = writer.write(name, one.student)
                assert failure is None, failure
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
