"""Whether any mark depends on the course secret, from which hidden inputs are drawn.

`python -m benchmarks.luck [--secrets 25] [--first 0] [--rare 400] [EXERCISE ...]` runs every hidden
test, without the sandbox, over every right answer of the bank under that many secrets, and over
every known mistake under a quarter of them. Then, under so many secrets as are rare, come those
whom a draw in a hundred may meet: the references, as what is unlucky for one right answer is for
all, and mistakes that a single test has caught. Secrets are numbered, so that a run with
`--first 25` goes on where one with 25 ended. Ctrl-C ends either part, and what was found until then
is printed. Exits 1 when a right answer failed a test under any secret, or a mistake passed them
all. Prints, too, which tests a mistake fails under some secrets alone.
"""

import argparse
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context

from rich.console import Console

from autograder.course import Assignment, load_course
from autograder.course.layout import grader_files
from benchmarks.watched_graders import (
    ROOT,
    Answer,
    Watched,
    answers_of,
    finished,
    forget_peak_memory,
    prepare,
)

FEWER = 4  # known mistakes take three quarters of the time of one secret, and lie further off
Task = tuple[Assignment, list[Answer], int]


@dataclass
class Findings:
    """What answers showed under some secrets; those of several tasks add up.

    Attributes:
        judged: how often right answers (True) and mistakes (False) were judged.
        lost: right answers that failed a test, with the test and the secret.
        full: mistakes that passed all tests, with the secret.
        failed: by mistake and test, how often it failed.
        seen: how often each mistake was judged.
        fewest: the smallest number of tests that each mistake failed.
    """

    judged: Counter[bool] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    full: list[str] = field(default_factory=list)
    failed: Counter[tuple[Answer, str]] = field(default_factory=Counter)
    seen: Counter[Answer] = field(default_factory=Counter)
    fewest: dict[Answer, int] = field(default_factory=dict)

    def add(self, other: "Findings") -> None:
        """Take in what another task found."""
        self.judged += other.judged
        self.lost += other.lost
        self.full += other.full
        self.failed += other.failed
        self.seen += other.seen
        for answer, count in other.fewest.items():
            self.fewest[answer] = min(count, self.fewest.get(answer, count))

    @property
    def by_luck(self) -> list[str]:
        """The mistakes that fail a test under some secrets and pass it under others."""
        return [
            f"{answer}, {test}: {often} of {self.seen[answer]}"
            for (answer, test), often in self.failed.items()
            if often < self.seen[answer]
        ]


def judge(assignment: Assignment, answers: Iterable[Answer], number: int) -> Findings:
    """Run all tests of an assignment over some answers to it, under one secret."""
    findings = Findings()

    def serve(graders: Watched) -> None:
        for answer in answers:
            forget_peak_memory()
            failed = graders.judge(answer, f"secret {number}".encode()).failed
            findings.judged[answer.right] += 1
            if not answer.right:
                findings.seen[answer] += 1
                findings.fewest[answer] = len(failed)
                findings.failed.update((answer, test) for test in failed)
            if answer.right:
                findings.lost += [f"{answer}, {test}, secret {number}" for test in failed]
            elif not failed:
                findings.full.append(f"{answer}, secret {number}")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # mistakes overflow and deprecate, that is their job
        Watched(None, serve).start(grader_files(ROOT, assignment.name))
    return findings


def tasks(answers: list[Answer], numbers: Iterable[int], fewer: int = 1) -> Iterator[Task]:
    """An assignment's answers under one secret each, all assignments under one before the next.

    Mistakes are judged under one secret in so many as are `fewer`.
    """
    assignments = load_course(ROOT).assignments.values()
    for number in numbers:
        for assignment in assignments:
            asked = {one.name for one in assignment.exercises}
            own = [
                answer
                for answer in answers
                if answer.exercise in asked and (answer.right or number % fewer == 0)
            ]
            if own:
                yield assignment, own, number


def find(wanted: Iterable[Task], pool: Executor, console: Console) -> Findings:
    """Judge, and add up what was found; the pool is of no more use afterwards."""
    findings = Findings()
    for found in finished([pool.submit(judge, *task) for task in wanted], "Judging", console):
        findings.add(found)
    pool.shutdown(wait=False, cancel_futures=True)
    return findings


def show(findings: Findings, console: Console) -> None:
    """Print what was found."""
    console.print(
        *(f"WRONG  a right answer fails: {one}" for one in sorted(findings.lost)),
        *(f"WRONG  a mistake keeps full marks: {one}" for one in sorted(findings.full)),
        *(f"By luck: {one}" for one in sorted(findings.by_luck)),
        f"Right answers judged {findings.judged[True]:,} times: {len(findings.lost)} tests failed.",
        f"Known mistakes judged {findings.judged[False]:,} times: "
        f"{len(findings.full)} kept full marks.",
        f"Tests that a mistake fails under some secrets alone: {len(findings.by_luck)}.",
        sep="\n",
        soft_wrap=True,
        markup=False,
    )


def main() -> None:
    """Judge and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("names", nargs="*", metavar="EXERCISE")
    options.add_argument("--secrets", type=int, default=25)
    options.add_argument("--first", type=int, default=0)
    options.add_argument("--rare", type=int, default=400)
    options.add_argument("--processes", type=int, default=2)
    chosen = options.parse_args()
    answers, console = answers_of(chosen.names), Console(highlight=False)
    usual = range(chosen.first, chosen.first + chosen.secrets)
    rare = range(usual.stop, usual.stop + chosen.rare)

    def pool() -> Executor:
        return ProcessPoolExecutor(chosen.processes, get_context("spawn"), prepare)

    findings = find(tasks(answers, usual, FEWER), pool(), console)
    exposed = [one for one in answers if one.name == "reference" or findings.fewest.get(one) == 1]
    findings.add(find(tasks(exposed, rare, FEWER), pool(), console))
    show(findings, console)
    if findings.lost or findings.full:
        sys.exit(1)


if __name__ == "__main__":
    main()
