"""What became of wrong answers: names counted by exercise and kind, and the page of them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from autograder.bank import Mistake
from benchmarks.wrong_answers import LEFT_OUT, WrongAnswer

OUTCOMES = ("right", "one of two", "alike", "symptom", "wrong")
NAMED = ("right", "one of two", "alike")
NOT_MADE = "not made"
"""Of an answer without a name: what was to be made in it is not in it, so none was to be given."""
MOST_WRONG = 0.01
"""Of the answers of a kind, how many may get a wrong name."""


@dataclass
class Tally:
    """What became of the wrong answers to one exercise.

    Attributes:
        counts: answers by kind and outcome.
        wrong: what to know about each wrong name.
        said: what is said of answers without a name.
        marked_down: right answers as strangers write them that lost marks, and why.
        right_ms: milliseconds of the processor that a right answer takes; 0 where not timed.
        wrong_ms: milliseconds of the processor that a wrong answer takes; 0 where not timed.
    """

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    said: list[tuple[str, str]] = field(default_factory=list)
    marked_down: list[str] = field(default_factory=list)
    right_ms: float = 0.0
    wrong_ms: float = 0.0

    def add(
        self, answer: WrongAnswer, outcome: str, named: Sequence[Mistake], told: str | None = None
    ) -> None:
        """Count what an answer is called, and what is said of it where it has no name."""
        self.counts[answer.kind, outcome] += 1
        text = f"{answer.exercise}, {answer.kind}: {' + '.join(one.slug for one in answer.made)}"
        if answer.rewrites:
            text += f" ({', '.join(one.name for one in answer.rewrites)})"
        if outcome == "wrong":
            self.wrong.append(f"{text} is called {' + '.join(one.slug for one in named)}")
        elif told is not None and outcome == "symptom":
            self.said.append((text, told))

    def of(self, kind: str, *outcomes: str) -> int:
        """How many answers of a kind had one of these outcomes; any, where none is given."""
        return sum(self.counts[kind, outcome] for outcome in outcomes or OUTCOMES)


def added(tallies: Iterable[Tally]) -> Tally:
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


def is_bad(total: Tally) -> bool:
    """Whether of any kind too many names are wrong, or a right answer lost marks."""
    kinds = {kind for kind, _ in total.counts}
    too_many = any(total.of(kind, "wrong") > MOST_WRONG * total.of(kind) for kind in kinds)
    return too_many or bool(total.marked_down)


def report(tallies: Mapping[str, Tally], kinds: Sequence[str]) -> str:
    """The page: counts by kind, counts by exercise and kind, and what is wrong."""
    total = added(tallies.values())
    rows = [_row(name, tally, kinds) for name, tally in tallies.items()]
    parts = [
        "# How wrong answers are named",
        _by_kind(total, kinds),
        f"By exercise, {' / '.join(OUTCOMES)}:",
        "\n".join([*_heading(kinds), *rows, _row("**all**", total, kinds)]),
        f"Wrong names: {len(total.wrong)}.",
        _listed(total.wrong),
    ]
    if total.right_ms:
        lost = len(total.marked_down)
        parts.append(f"Right answers as strangers write them that lost marks: {lost}.")
        parts.append("\n\n".join(total.marked_down))
    return "\n\n".join(part for part in parts if part) + "\n"


def _by_kind(total: Tally, kinds: Sequence[str]) -> str:
    """A row for each kind; of mistakes that the bank does not know, no name is to be expected."""
    columns = ["wrong answers", "graded", *OUTCOMES, "named", "wrong", NOT_MADE]
    lines = [f"| {' | '.join(columns)} |", "|---|" + "--:|" * (len(columns) - 1)]
    for kind in kinds:
        graded = total.of(kind)
        if not graded:
            lines.append(f"| {kind} | 0 |" + " |" * (len(columns) - 2))
            continue
        named = "" if kind == LEFT_OUT else f"{total.of(kind, *NAMED) / graded:.1%}"
        counts = " | ".join(str(total.of(kind, outcome)) for outcome in OUTCOMES)
        share = f"{total.of(kind, 'wrong') / graded:.2%}"
        not_made = total.of(kind, NOT_MADE)
        lines.append(f"| {kind} | {graded} | {counts} | {named} | {share} | {not_made} |")
    return "\n".join(lines)


def _heading(kinds: Sequence[str]) -> list[str]:
    columns = ["exercise", *kinds, "ms right", "ms wrong"]
    return [f"| {' | '.join(columns)} |", "|---|" + "--:|" * (len(columns) - 1)]


def _row(name: str, tally: Tally, kinds: Sequence[str]) -> str:
    counts = ["/".join(str(tally.of(kind, one)) for one in OUTCOMES) for kind in kinds]
    times = [f"{one:.1f}" if one else "" for one in (tally.right_ms, tally.wrong_ms)]
    return f"| {' | '.join([name, *counts, *times])} |"


def _listed(texts: Iterable[str]) -> str:
    return "\n".join(f"- {text}" for text in texts)
