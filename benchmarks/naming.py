"""How often wrong answers are called by the right name, by a wrong one, or told by a symptom.

`python -m benchmarks.naming [EXERCISE ...] [--each 40] [--seed 1] [--list]` grades, in this
process: every known mistake; the same, named by a bank that does not know it; right answers with
one known mistake made in them; two known mistakes made at once, in the reference and in other right
answers; and single ones rewritten as strangers write, with up to three habits and slips. A name is
wrong where that mistake was not made and, on inputs that no probe has, the answer does not behave
as it does. It also grades right answers rewritten by habits, which are to keep all marks, and times
right answers against as many wrong ones.
"""

import argparse
import statistics
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path

import torch

from autograder.bank import Mistake, all_mistakes, mistakes, variants
from autograder.course import load_course
from autograder.course.layout import grader_files
from autograder.course.own_code import serve as serve_course
from autograder.judging.answers import reference_source, source_of, student_with
from autograder.judging.bank import bank_of
from autograder.judging.behaviour import Observed, observe
from autograder.judging.combining import combined
from autograder.judging.diagnosis import named_from
from autograder.judging.draw import Draw
from autograder.judging.explaining import explain
from autograder.judging.plugin import Found, Graders
from autograder.judging.symptoms import of_error
from benchmarks.as_strangers_write import Rewrite, all_made
from benchmarks.wrong_answers import (
    KINDS,
    LEFT_OUT,
    WrongAnswer,
    made,
    right_answers,
    wrong_answers,
)

ROOT = Path(__file__).parent.parent
serve_course(ROOT)
SECRET = b"naming"
TIMED = 12
NO_NAME = of_error("NameError")
OUTCOMES = ("right", "one of two", "alike", "symptom", "wrong")


@dataclass
class Tally:
    """What became of the wrong answers to one exercise.

    Attributes:
        counts: answers by kind and outcome.
        wrong: what to know about each wrong name.
        said: what is said of answers without a name.
        marked_down: right answers as strangers write them that lost marks, and why.
        right_ms: milliseconds of the processor that a right answer takes.
        wrong_ms: milliseconds of the processor that a wrong answer takes.
    """

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    said: list[tuple[str, str]] = field(default_factory=list)
    marked_down: list[str] = field(default_factory=list)
    right_ms: float = 0.0
    wrong_ms: float = 0.0

    def add(self, answer: WrongAnswer, named: Sequence[Mistake], told: str | None = None) -> None:
        """Count what an answer is called, and what is said of it where it has no name."""
        outcome = judged(answer, named)
        self.counts[answer.kind, outcome] += 1
        text = f"{answer.exercise}, {answer.kind}: {' + '.join(one.slug for one in answer.made)}"
        if answer.rewrites:
            text += f" ({', '.join(one.name for one in answer.rewrites)})"
        if outcome == "wrong":
            self.wrong.append(f"{text} is called {' + '.join(one.slug for one in named)}")
        elif told is not None and outcome == "symptom":
            self.said.append((text, told))


def main() -> None:
    """Measure and print; exit with 1 where of any kind more than one name in a hundred is wrong."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("exercises", nargs="*", metavar="EXERCISE")
    options.add_argument("--each", type=int, default=40, help="answers of a kind and exercise")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--kind", action="append", choices=KINDS, help="only answers of this kind")
    options.add_argument("--list", action="store_true", help="show what has no name")
    chosen = options.parse_args()
    torch.set_num_threads(1)  # as on a grading machine; tiny tensors are faster so
    warnings.simplefilter("ignore")  # mistakes overflow and deprecate: that is their job
    names = chosen.exercises or list(dict.fromkeys(entry.exercise for entry in all_mistakes()))
    kinds, tallies = chosen.kind or KINDS, dict[str, Tally]()

    def serve(graders: Graders) -> None:
        print(HEADING)
        for name in names:
            tallies[name] = measure(graders, wrong_answers(name, chosen.each, chosen.seed, kinds))
            tallies[name].marked_down = marked_down(
                graders, name, right_answers(name, chosen.each, chosen.seed)
            )
            tallies[name].right_ms, tallies[name].wrong_ms = timed(graders, name)
            print(row(name, tallies[name]), flush=True)

    start(serve)
    if len(tallies) < len(names):
        sys.exit("grading stopped before the end; the error is above")
    total = added(list(tallies.values()))
    print(row("all", total))
    for text in total.wrong:
        print(f"wrong name: {text}")
    print(f"right answers as strangers write them that lost marks: {len(total.marked_down)}")
    for text in total.marked_down:
        print(text)
    for answer, said in total.said if chosen.list else ():
        print(f"{answer}: {said}")
    sys.exit(too_many_wrong(tallies) or bool(total.marked_down))


def too_many_wrong(tallies: dict[str, Tally]) -> bool:
    """Whether more than one name in a hundred of any kind is wrong; printed is how many are."""
    total, found = added(list(tallies.values())), False
    for kind in KINDS:
        graded, wrong = answers_of(total, kind), total.counts[kind, "wrong"]
        print(f"{kind}: {wrong} wrong names for {graded} wrong answers")
        found |= wrong > graded / 100
        if none := [name for name, tally in tallies.items() if not answers_of(tally, kind)]:
            print(f"  none to be made of {', '.join(none)}")
    return found


def answers_of(tally: Tally, kind: str) -> int:
    """How many wrong answers of a kind were graded."""
    return sum(tally.counts[kind, outcome] for outcome in OUTCOMES)


def start(serve: Callable[[Graders], None]) -> None:
    """Collect all hidden graders and hand them over."""
    assignments = load_course(ROOT).assignments.values()
    files = [file for one in assignments for file in grader_files(ROOT, one.name)]
    Graders(SECRET, "cpu", serve).start(files)


def measure(graders: Graders, answers: Iterable[WrongAnswer]) -> Tally:
    """Grade wrong answers to one exercise, and see what they are called."""
    tally = Tally()
    for answer in answers:
        found = tuple(graders.run(answer.exercise, partial(made, answer)))
        if earns_all(found) or any(one.symptom == NO_NAME for one in found):
            continue  # what was changed is no mistake here, or lost what it builds on
        if answer.kind == LEFT_OUT:
            tally.add(answer, named_without(answer, found))
        else:
            explained = explain(answer.exercise, found, made(answer), graders)
            tally.add(answer, explained.mistakes, explained.told)
    return tally


def marked_down(graders: Graders, exercise: str, sources: Iterable[str]) -> list[str]:
    """The right answers among these that lose marks, and by which test."""
    lost = []
    for source in sources:
        found = graders.run(exercise, partial(student_with, exercise, source))
        lost += [f"{exercise}, {one.name}:\n{source}" for one in found if one.outcome == "failed"]
    return lost


def named_without(answer: WrongAnswer, found: Iterable[Found]) -> list[Mistake]:
    """What a known mistake would be called if it were not known."""
    known = bank_of(answer.exercise).without(answer.made[0].slug)
    claimed = [one.misconception for one in found if one.misconception]
    return named_from(known, observe(answer.exercise, made(answer)), claimed)


def earns_all(found: Iterable[Found]) -> bool:
    """Whether no test failed; those that wait for a GPU do not count."""
    return all(one.remark or one.outcome in ("passed", "pending") for one in found)


def judged(answer: WrongAnswer, named: Sequence[Mistake]) -> str:
    """Which of OUTCOMES the names are."""
    slugs, known = ({one.slug for one in some} for some in (named, answer.made))
    slugs -= slips_of(answer.exercise, answer.base, answer.rewrites) - known
    if not slugs:
        return "symptom"
    if slugs == known:
        return "right"
    if slugs < known:
        return "one of two"
    return "alike" if behaves_like(answer, named) else "wrong"


@cache
def slips_of(exercise: str, base: str, rewrites: tuple[Rewrite, ...]) -> set[str]:
    """What a right answer is called with the slips among these rewrites alone, all and each."""
    slips = [one for one in rewrites if one.is_slip]
    called: set[str] = set()
    for some in (slips, *([one] for one in slips)):
        source, _ = all_made(base, some, len(some))
        behaviour = observe(exercise, student_with(exercise, source))
        called |= {one.slug for one in named_from(bank_of(exercise), behaviour)}
    return called


def behaves_like(answer: WrongAnswer, named: Sequence[Mistake]) -> bool:
    """Whether an answer does as the named mistakes do, on inputs that no probe has."""
    source = source_of(named[0]) if len(named) == 1 else None
    if len(named) == 2:
        source = combined(*named)
    if source is None:  # no answer makes all of them, to compare this one with
        return False
    with fresh_inputs():
        behaviour = observe(answer.exercise, made(answer))
        return Observed(answer.exercise, source).behaves_like(behaviour)


@contextmanager
def fresh_inputs() -> Iterator[None]:
    """Within this context, probes draw other inputs."""
    usual = Draw.__init__

    def other(self: Draw, secret: bytes, test: str) -> None:
        usual(self, b"fresh " + secret, test)

    Draw.__init__ = other  # type: ignore[method-assign]
    try:
        yield
    finally:
        Draw.__init__ = usual  # type: ignore[method-assign]


def timed(graders: Graders, exercise: str) -> tuple[float, float]:
    """Milliseconds of the processor to grade a right answer and a wrong one, when all is warm."""
    right = [reference_source(exercise), *(source_of(one) for one in variants(exercise))]
    wrong = [source_of(one) for one in mistakes(exercise)]
    spent: list[float] = []
    for sources in (right, wrong):
        took = []
        for number in range(TIMED):
            student = partial(student_with, exercise, sources[number % len(sources)])
            started = time.process_time()
            found = tuple(graders.run(exercise, student))
            if not earns_all(found):
                explain(exercise, found, student(), graders)
            took.append(1000 * (time.process_time() - started))
        spent.append(statistics.mean(took))
    return spent[0], spent[1]


def added(tallies: list[Tally]) -> Tally:
    """All tallies in one."""
    total = Tally()
    for one in tallies:
        total.counts += one.counts
        total.wrong += one.wrong
        total.said += one.said
        total.marked_down += one.marked_down
        total.right_ms += one.right_ms
        total.wrong_ms += one.wrong_ms
    return total


HEADING = (
    " | ".join([f"{'':<28}", *(f"{kind:>20}" for kind in KINDS), "ms right  wrong  ratio"])
    + f"\n{'':<28} | each: {'/'.join(OUTCOMES)}"
)


def row(name: str, tally: Tally) -> str:
    """One line of the table."""
    counts = ("/".join(str(tally.counts[kind, one]) for one in OUTCOMES) for kind in KINDS)
    ratio = tally.wrong_ms / tally.right_ms
    times = f"{tally.right_ms:8.1f} {tally.wrong_ms:6.1f} {ratio:6.2f}"
    return " | ".join([f"{name:<28}", *(f"{cell:>20}" for cell in counts), times])


if __name__ == "__main__":
    main()
