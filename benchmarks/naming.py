"""How often wrong answers are called by the right name, by a wrong one, or told by a symptom.

`python benchmarks/naming.py [EXERCISE ...] [--each 40] [--seed 1] [--list]` grades, in this
process: every known mistake; right answers with one known mistake made in them; and two known
mistakes made at once, in the reference and in other right answers. A name is wrong where that
mistake was not made and, on inputs that no probe has, the answer does not behave as it does.
It also times right answers against as many wrong ones.
"""

import argparse
import random
import statistics
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from pathlib import Path

import torch

from autograder.checks.local_student import LocalStudent
from autograder.course import load_course
from autograder.hidden import grader_files
from autograder.judging.answers import reference_source, source_of, student_with
from autograder.judging.behaviour import Observed, observe
from autograder.judging.combining import (
    WORD,
    Edit,
    bases,
    changed,
    combined,
    differences,
    parses,
    plain,
)
from autograder.judging.draw import Draw
from autograder.judging.explaining import explain
from autograder.judging.plugin import RAISED, Found, Graders
from autograder.misconceptions import Mistake, all_mistakes, mistakes
from autograder.variants import variants

ROOT = Path(__file__).parent.parent
SECRET = b"naming"
CONTEXTS = (6, 4, 2)  # words on either side by which the place of a change is found again
TIMED = 12
KINDS = ("bank", "in a variant", "two in the reference", "two in a variant")
NO_NAME = RAISED.format("NameError")
OUTCOMES = ("right", "one of two", "alike", "symptom", "wrong")


@dataclass(frozen=True)
class WrongAnswer:
    """An answer with known mistakes in it.

    Attributes:
        kind: one of KINDS.
        made: the mistakes, one or two.
        source: the answer's cell.
    """

    kind: str
    made: tuple[Mistake, ...]
    source: str

    @property
    def exercise(self) -> str:
        """The exercise that it answers."""
        return self.made[0].exercise


@dataclass
class Tally:
    """What became of the wrong answers to one exercise.

    Attributes:
        counts: answers by kind and outcome.
        wrong: what to know about each wrong name.
        said: what is said of answers without a name.
        right_ms: milliseconds of the processor that a right answer takes.
        wrong_ms: milliseconds of the processor that a wrong answer takes.
    """

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    said: list[tuple[str, str]] = field(default_factory=list)
    right_ms: float = 0.0
    wrong_ms: float = 0.0


def main() -> None:
    """Measure and print; exit with 1 where of any kind more than one name in a hundred is wrong."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("exercises", nargs="*", metavar="EXERCISE")
    options.add_argument("--each", type=int, default=40, help="answers of a kind and exercise")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--list", action="store_true", help="show what has no name")
    chosen = options.parse_args()
    torch.set_num_threads(1)  # as on a grading machine; tiny tensors are faster so
    warnings.simplefilter("ignore")  # mistakes overflow and deprecate: that is their job
    names = chosen.exercises or list(dict.fromkeys(entry.exercise for entry in all_mistakes()))
    tallies: dict[str, Tally] = {}

    def serve(graders: Graders) -> None:
        print(HEADING)
        for name in names:
            tallies[name] = measure(graders, name, chosen.each, chosen.seed)
            print(row(name, tallies[name]), flush=True)

    start(serve)
    if len(tallies) < len(names):
        sys.exit("grading stopped before the end; the error is above")
    total = added(list(tallies.values()))
    print(row("all", total))
    for text in total.wrong:
        print(f"wrong name: {text}")
    for answer, said in total.said if chosen.list else ():
        print(f"{answer}: {said}")
    sys.exit(too_many_wrong(tallies))


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
    files = [file for one in assignments for file in grader_files(one.module)]
    Graders(SECRET, frozenset({"cpu"}), serve).start(files)


def measure(graders: Graders, exercise: str, each: int, seed: int) -> Tally:
    """Grade the exercise's bank, and up to `each` answers of every other kind."""
    tally = Tally()
    for answer in [*bank(exercise), *sampled(exercise, each, seed)]:
        found = tuple(graders.run(exercise, partial(made, answer)))
        if earns_all(found) or any(one.symptom == NO_NAME for one in found):
            continue  # what was changed is no mistake here, or lost what it builds on
        explained = explain(exercise, found, made(answer))
        outcome = judged(answer, explained.mistakes)
        tally.counts[answer.kind, outcome] += 1
        text = f"{exercise}, {answer.kind}: {' + '.join(one.slug for one in answer.made)}"
        if outcome == "wrong":
            tally.wrong.append(f"{text} is called {' + '.join(explained.slugs)}")
        elif outcome == "symptom":
            tally.said.append((text, explained.told))
    tally.right_ms, tally.wrong_ms = timed(graders, exercise)
    return tally


def earns_all(found: Iterable[Found]) -> bool:
    """Whether no test failed; those that wait for a GPU do not count."""
    return all(one.outcome in ("passed", "pending") for one in found)


def judged(answer: WrongAnswer, named: Sequence[Mistake]) -> str:
    """Which of OUTCOMES the names are."""
    slugs, known = ({one.slug for one in some} for some in (named, answer.made))
    if not slugs:
        return "symptom"
    if slugs == known:
        return "right"
    if slugs < known:
        return "one of two"
    return "alike" if behaves_like(answer, named) else "wrong"


def behaves_like(answer: WrongAnswer, named: Sequence[Mistake]) -> bool:
    """Whether an answer does as the named mistakes do, on inputs that no probe has."""
    source = source_of(named[0]) if len(named) == 1 else combined(*named)
    assert source is not None
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


def made(answer: WrongAnswer) -> LocalStudent:
    """A student with the answer."""
    return student_with(answer.exercise, answer.source)


def bank(exercise: str) -> list[WrongAnswer]:
    """The known mistakes, as they are."""
    return [WrongAnswer("bank", (one,), source_of(one)) for one in mistakes(exercise)]


def sampled(exercise: str, each: int, seed: int) -> Iterator[WrongAnswer]:
    """Up to `each` answers of every kind but the bank: all that there are, or a fixed sample."""
    dice = random.Random(f"{seed} {exercise}")
    right = [plain(source_of(one)) for one in variants(exercise)]
    reference = reference_source(exercise)
    single = [(one,) for one in mistakes(exercise)]
    double = [pair for pair in combinations(mistakes(exercise), 2) if differ(*pair)]
    for kind, answers, sets in (
        (KINDS[1], right, single),
        (KINDS[2], [reference], double),
        (KINDS[3], right, double),
    ):
        ways = [(base, entries) for base in answers for entries in sets]
        dice.shuffle(ways)
        count = 0
        for base, entries in ways:
            source = with_mistakes(base, entries)
            if source is not None and runs(exercise, source):
                yield WrongAnswer(kind, entries, source)
                count += 1
                if count == each:
                    break


def differ(one: Mistake, other: Mistake) -> bool:
    """Whether two entries are two mistakes, and not two ways to make one."""
    return one.slug != other.slug


def with_mistakes(base: str, entries: tuple[Mistake, ...]) -> str | None:
    """A right answer with mistakes made in it one after the other; None where one has no place."""
    source: str | None = base
    for number, entry in enumerate(entries):
        # Changes of the same line may begin with the same step, such as writing it out.
        done = {step for other in entries[:number] for step in other.change}
        steps = tuple(step for step in entry.change if step not in done)
        source = with_mistake(source, entry, steps) if source is not None else None
    return source


def with_mistake(source: str, entry: Mistake, steps: tuple[tuple[str, str], ...]) -> str | None:
    """The source with a known mistake made in it, by its text or by the words around it."""
    literal = changed(source, steps) if steps else None
    if literal is not None:
        return literal
    if not parses(source):
        return None
    text = plain(source)
    ways = [(base, differences(base, entry) or ()) for base in bases(entry.exercise)]
    for base, edits in sorted(ways, key=lambda way: len(way[1])):
        found = transplanted(base, edits, text)
        if found is not None and found != text:
            return found
    return None


def transplanted(base: str, edits: Sequence[Edit], text: str) -> str | None:
    """Another text with the edits of a base, each between the same words; None where not found."""
    for edit in sorted(edits, key=lambda one: -one.start):
        before, old = WORD.findall(base[: edit.start]), base[edit.start : edit.end]
        after = WORD.findall(base[edit.end :])
        for width in CONTEXTS:
            head, tail = "".join(before[-width:]), "".join(after[:width])
            if text.count(head + old + tail) == 1:
                text = text.replace(head + old + tail, head + edit.new + tail)
                break
        else:
            return None
    return text


def runs(exercise: str, source: str) -> bool:
    """Whether the cell runs, as a student's does before it is handed in."""
    try:
        student_with(exercise, source)
    except Exception:  # two changes together may be no Python, or use what is not there
        return False
    return True


def timed(graders: Graders, exercise: str) -> tuple[float, float]:
    """Milliseconds of the processor to grade a right answer and a wrong one, when all is warm."""
    right = [reference_source(exercise), *(source_of(one) for one in variants(exercise))]
    wrong = [source_of(one) for one in mistakes(exercise)]
    spent: list[float] = []
    for sources in (right, wrong):
        took = []
        for number in range(TIMED):
            entry = mistakes(exercise)[0]
            answer = WrongAnswer("bank", (entry,), sources[number % len(sources)])
            started = time.process_time()
            found = tuple(graders.run(exercise, partial(made, answer)))
            if not earns_all(found):
                explain(exercise, found, made(answer))
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
        total.right_ms += one.right_ms
        total.wrong_ms += one.wrong_ms
    return total


HEADING = (
    f"{'':<28} {'known mistakes':>16} | {'one in a variant':>16} | {'two in the reference':>20}"
    f" | {'two in a variant':>20} | ms right  wrong  ratio\n"
    f"{'':<28} each: " + "/".join(OUTCOMES)
)


def row(name: str, tally: Tally) -> str:
    """One line of the table."""
    cells = ["/".join(str(tally.counts[kind, outcome]) for outcome in OUTCOMES) for kind in KINDS]
    ratio = tally.wrong_ms / tally.right_ms
    return (
        f"{name:<28} {cells[0]:>16} | {cells[1]:>16} | {cells[2]:>20} | {cells[3]:>20}"
        f" | {tally.right_ms:8.1f} {tally.wrong_ms:6.1f} {ratio:6.2f}"
    )


if __name__ == "__main__":
    main()
