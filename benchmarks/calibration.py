"""How far right answers stay below the bound of a comparison, and wrong ones above it.

`python -m benchmarks.calibration [--seeds 500] [EXERCISE ...]` runs the hidden graders over every
right answer of the bank under that many course secrets, and over every known mistake under a tenth
as many. A ratio is the largest error of a comparison relative to the error allowed: at most 1 is
right. Printed are, by dtype and for values and gradients, the largest ratio of a right answer, the
least of a mistake that a comparison catches, and the gap between them. What graders ask without
comparing floating values with the reference (properties, structure, devices) plays no part here;
mistakes near the bound that such a test catches too are listed apart. Ctrl-C prints what has been
measured so far. Exits 1 when a right answer fails or the gap is narrow.
"""

import argparse
import math
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context

from rich.console import Console
from rich.table import Table

from autograder.judging.tolerance import Comparison
from benchmarks.watched_graders import FILES, Answer, Judged, Watched, answers_of, finished, prepare

WIDE = 25.0  # the least gap; below it, a longer sum or a smaller mistake could cross the bound
FEWER = 10  # mistakes take four times as long as right answers, and lie much further from the bound
SEEDS_A_TASK = 5

Group = tuple[str, str] | None  # dtype and kind of a comparison; None for all


@dataclass(frozen=True)
class Seen:
    """A ratio, and where it was seen.

    Attributes:
        ratio: the largest error relative to the error allowed.
        group: what was compared.
        where: answer, hidden test and seed, for a person.
    """

    ratio: float
    group: Group
    where: str


@dataclass
class Findings:
    """What answers showed under some secrets; those of several tasks add up.

    Attributes:
        secrets: under how many secrets right answers (True) and mistakes (False) were judged.
        made: how many comparisons right answers went through.
        right: the largest ratio of a right answer, by group.
        wrong: for each mistake that a comparison catches, the least that it was seen with under
            any secret; under each, the comparison that shows it best counts.
        caught: under how many secrets a comparison caught a mistake.
        infinite: how often, and in which group, a mistake was infinitely wrong.
        lost: right answers that failed a test, with what was seen.
        otherwise: mistakes near the bound that more than a comparison catches.
    """

    secrets: Counter[bool] = field(default_factory=Counter)
    made: Counter[Group] = field(default_factory=Counter)
    right: dict[Group, Seen] = field(default_factory=dict)
    wrong: dict[str, Seen] = field(default_factory=dict)
    caught: Counter[str] = field(default_factory=Counter)
    infinite: Counter[Group] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    otherwise: set[str] = field(default_factory=set)

    def add(self, other: "Findings") -> None:
        """Take in what another task found."""
        self.secrets += other.secrets
        self.made += other.made
        self.caught += other.caught
        self.infinite += other.infinite
        self.lost += other.lost
        for group, seen in other.right.items():
            self.right[group] = max(seen, self.right.get(group, seen), key=_ratio)
        for answer, seen in other.wrong.items():
            self.wrong[answer] = min(seen, self.wrong.get(answer, seen), key=_ratio)

    def least_wrong(self, group: Group = None) -> Seen | None:
        """The mistake nearest to the bound, of those that nothing but a comparison catches."""
        counted = [
            seen
            for answer, seen in self.wrong.items()
            if group in (None, seen.group) and answer not in self.otherwise
        ]
        finite = [seen for seen in counted if seen.ratio < math.inf]
        return min(finite, key=_ratio, default=None)

    def gap(self, group: Group = None) -> float:
        """The least ratio of a mistake over the largest of a right answer."""
        right, wrong = self.right.get(group), self.least_wrong(group)
        return wrong.ratio / right.ratio if right and wrong and right.ratio else math.nan


def _ratio(seen: Seen) -> float:
    return seen.ratio


def measure(answers: list[Answer], seeds: Sequence[int], tests: frozenset[str]) -> Findings:
    """Run these tests over answers that are all right or all wrong, under one secret a seed."""
    findings = Findings(Counter({answers[0].right: len(seeds)}))

    def serve(graders: Watched) -> None:
        for seed in seeds:
            for answer in answers:
                judged = graders.judge(answer, f"calibration {seed}".encode())
                where = f"{answer}, {{}}, seed {seed}"
                if answer.right:
                    _add_right(findings, judged, where)
                else:
                    _add_wrong(findings, judged, where, str(answer))

    _start(tests, serve)
    return findings


def _add_right(findings: Findings, judged: Judged, where: str) -> None:
    findings.lost += [where.format(test) for test in judged.failed]
    for test, one in judged.made:
        for group in (_group(one), None):
            seen = Seen(one.ratio, group, where.format(test))
            findings.made[group] += 1
            findings.right[group] = max(seen, findings.right.get(group, seen), key=_ratio)


def _add_wrong(findings: Findings, judged: Judged, where: str, answer: str) -> None:
    test, best = max(judged.made, key=lambda pair: pair[1].ratio, default=("", None))
    if best is None or best.ratio <= 1:
        return
    group, seen = _group(best), Seen(best.ratio, _group(best), where.format(test))
    findings.caught[answer] += 1
    findings.infinite += Counter([group, None] if best.ratio == math.inf else [])
    findings.wrong[answer] = min(seen, findings.wrong.get(answer, seen), key=_ratio)


def _group(one: Comparison) -> Group:
    return one.dtype, one.kind


def _start(tests: frozenset[str] | None, serve: object) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # mistakes overflow and deprecate, that is their job
        Watched(tests, serve).start(FILES)


def calibrate(answers: list[Answer], seeds: int, pool: Executor, console: Console) -> Findings:
    """Measure answers, with a bar for the person who waits; Ctrl-C ends it early."""
    tests: set[str] = set()
    _start(None, lambda graders: tests.update(graders.comparing({a.exercise for a in answers})))
    findings, chosen = Findings(), frozenset(tests)
    running = [pool.submit(measure, some, own, chosen) for some, own in _tasks(answers, seeds)]
    for found in finished(running, "Calibrating", console):
        findings.add(found)
    pool.shutdown(wait=False, cancel_futures=True)
    findings.otherwise = caught_otherwise(answers, findings)
    return findings


def _tasks(answers: list[Answer], seeds: int) -> Iterable[tuple[list[Answer], Sequence[int]]]:
    """Shares of the work, mistakes spread among right answers so that an early end has both."""
    right = [answer for answer in answers if answer.right]
    wrong = [answer for answer in answers if not answer.right]
    for start in range(0, seeds, SEEDS_A_TASK):
        if wrong and start % FEWER == 0:
            yield wrong, [start // FEWER]
        if right:
            yield right, range(start, min(start + SEEDS_A_TASK, seeds))


def caught_otherwise(answers: list[Answer], findings: Findings) -> set[str]:
    """Of the mistakes that would make the gap narrow, those that another test catches too."""
    worst = findings.right[None].ratio if None in findings.right else 1.0
    near = {name for name, seen in findings.wrong.items() if seen.ratio < WIDE * worst}
    found: set[str] = set()

    def serve(graders: Watched) -> None:
        for answer in answers:
            if str(answer) in near and graders.judge(answer, b"calibration 0").otherwise:
                found.add(str(answer))

    if near:
        _start(None, serve)
    return found


def show(findings: Findings, answers: list[Answer], console: Console) -> None:
    """Print the table, and what is out of place."""
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for column in ("Dtype", "Of"):
        table.add_column(column, no_wrap=True)
    for column in ("Compared", "Worst right", "Least wrong", "Gap", "Infinite"):
        table.add_column(column, justify="right", no_wrap=True)
    lines = []
    for group in (*sorted((group for group in findings.made if group), key=str), None):
        dtype, kind = group or ("all", "")
        extremes = {
            "worst right": findings.right[group],
            "least wrong": findings.least_wrong(group),
        }
        ratios = [f"{seen.ratio:.3g}" if seen else "" for seen in extremes.values()]
        gap = f"{findings.gap(group):.3g}" if extremes["least wrong"] else ""
        counts = f"{findings.made[group]:,}", f"{findings.infinite[group]:,}"
        table.add_row(dtype, kind, counts[0], *ratios, gap, counts[1])
        lines += [
            f"  {dtype} {kind}, {what}: {seen.where}" for what, seen in extremes.items() if seen
        ]
    console.print(table)
    console.print(*lines, sep="\n", soft_wrap=True, markup=False)
    _show_counts(findings, answers, console)


def _show_counts(findings: Findings, answers: list[Answer], console: Console) -> None:
    count, secrets = Counter(answer.right for answer in answers), findings.secrets
    always = sum(times == secrets[False] for times in findings.caught.values())
    some = {name: times for name, times in findings.caught.items() if times < secrets[False]}
    lines = [
        f"{count[True]} right answers under {secrets[True]} secrets: "
        f"{len(findings.lost)} tests failed.",
        f"{count[False]} mistakes under {secrets[False]} secrets: a comparison catches {always} "
        f"under all of them, {len(some)} under some, the others never.",
        *(f"  under {times} of {secrets[False]}: {name}" for name, times in sorted(some.items())),
        *(
            f"  near the bound, but not for another test: {name} ({findings.wrong[name].ratio:.3g})"
            for name in sorted(findings.otherwise)
        ),
        *(f"WRONG  a right answer fails: {lost}" for lost in findings.lost),
        f"Gap: {findings.gap():.3g}",
    ]
    console.print(*lines, sep="\n", soft_wrap=True, markup=False)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("names", nargs="*", metavar="EXERCISE")
    options.add_argument("--seeds", type=int, default=500)
    options.add_argument("--processes", type=int, default=2)
    chosen = options.parse_args()
    answers, console = answers_of(chosen.names), Console(highlight=False)
    pool = ProcessPoolExecutor(chosen.processes, get_context("spawn"), prepare)
    findings = calibrate(answers, chosen.seeds, pool, console)
    show(findings, answers, console)
    if findings.lost or not findings.gap() >= WIDE:
        sys.exit(1)


if __name__ == "__main__":
    main()
