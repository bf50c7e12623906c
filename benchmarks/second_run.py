"""What it costs a class of wrong answers to be judged once more where the earlier ones are right.

Every student of the class has masked_softmax wrong and calls it in causal_attention, which half of
them have right. One worker grades them in the full sandbox, without gradebook and files: in turns
as it is, and with nothing judged again. `make bench` runs it, too.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

import torch

from autograder.bank import mistakes
from autograder.course import load_course
from autograder.course.layout import grader_files
from autograder.course.own_code import serve as serve_course
from autograder.judging.answers import reference_source, source_of
from autograder.judging.library import library
from autograder.judging.plugin import Graders
from autograder.sandbox import Sandbox
from autograder.sandbox.connection import Connection
from autograder.sandbox.inside.versions import importable
from autograder.student.session import Cell, Session
from autograder.verdicts import judge as judging
from benchmarks import machine
from benchmarks.compare_speed.handed_in import EXERCISES, IMPORTS, NAME, uses

COURSE = load_course(machine.ROOT)
serve_course(machine.ROOT)
ROUNDS = 3
EARLIER, LATER = "masked_softmax", "causal_attention"

Cells = list[Cell]


def main() -> None:
    """Grade, print, write."""
    parser = argparse.ArgumentParser(prog="second_run", description=__doc__)
    parser.add_argument("--submissions", type=int, default=100, help="how many students hand in")
    parser.add_argument("--write", metavar="FILE", type=Path, help="also write the page there")
    options = parser.parse_args()
    page = measured(class_of(options.submissions))
    print(page)
    if options.write:
        options.write.write_text(page, encoding="utf-8")


def class_of(count: int) -> list[Cells]:
    """Notebooks, all different as far as known mistakes reach."""
    earlier = [source_of(one) for one in mistakes(EARLIER)]
    later = [source_of(one) for one in mistakes(LATER)]
    later = [source for source in later if EARLIER in uses(source)]
    right = {name: reference_source(name) for name in EXERCISES}
    notebooks = []
    for number in range(count):
        wrong = {EARLIER: earlier[number % len(earlier)]}
        if number % 2:
            wrong[LATER] = later[number // 2 % len(later)]
        answers = (right | wrong).items()
        notebooks.append([Cell("imports", IMPORTS), *(Cell(n, text, n) for n, text in answers)])
    return notebooks


def measured(handed_in: Sequence[Cells]) -> str:
    """What both ways took, as a page."""
    took: dict[bool, list[float]] = {True: [], False: []}
    counts: set[int] = set()

    def serve(graders: Graders) -> None:
        library().warm()
        with Sandbox(
            limits=COURSE.limits.limits(), packages=importable(**COURSE.packages.names())
        ) as sandbox:
            connection = sandbox.connect()
            _grade(connection, graders, handed_in[:5])  # what is loaded late is loaded now
            for _ in range(ROUNDS):
                with mock.patch.object(
                    judging, "_judge_again", wraps=judging._judge_again
                ) as second:
                    took[True].append(_grade(connection, graders, handed_in))
                counts.add(second.call_count)
                with mock.patch.object(judging, "_parts", return_value={}):
                    took[False].append(_grade(connection, graders, handed_in))

    torch.set_num_threads(1)
    Graders(b"what it costs", "cpu", serve).start(grader_files(machine.ROOT, NAME))
    (again,) = counts
    rows = (
        ("as it is", took[True]),
        ("nothing judged again", took[False]),
    )
    lines = [
        f"| {name} | {_ms(min(times), handed_in)} to {_ms(max(times), handed_in)} |"
        for name, times in rows
    ]
    return "\n".join(
        (
            "# What it costs to be judged where the earlier ones are right",
            "",
            "| | ms a submission |",
            "|---|--:|",
            *lines,
            "",
            f"{len(handed_in)} submissions of {len(EXERCISES)} exercises; {again} answers "
            "are judged twice. One worker,",
            f"full sandbox, no gradebook; {ROUNDS} rounds in turns.",
            "",
            f"{machine.described()}.",
            "",
        )
    )


def _grade(connection: Connection, graders: Graders, handed_in: Sequence[Cells]) -> float:
    """Seconds until all verdicts are there."""
    rules = judging.Rules(COURSE.assignment(NAME), {}, cuda_points=False)
    rules.load()
    started = time.perf_counter()
    for one in handed_in:
        session = Session(connection, one, {}, COURSE.limits.limits())
        judging.judge(rules, graders, session, list(EXERCISES), set(), "ada")
        session.close()
    return time.perf_counter() - started


def _ms(seconds: float, handed_in: Sequence[Cells]) -> str:
    return f"{1e3 * seconds / len(handed_in):.1f}"


if __name__ == "__main__":
    main()
