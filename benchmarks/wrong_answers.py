"""Answers made of known ones: as they are, in other answers, two at once, as strangers write."""

import random
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from autograder.bank import Mistake, mistakes, variants
from autograder.checks.kit.local_student import LocalStudent
from autograder.judging.answers import reference_source, source_of, student_with
from autograder.judging.combining import (
    WORD,
    Edit,
    bases,
    changed,
    differences,
    parses,
    plain,
)
from benchmarks.as_strangers_write import HABITS, SLIPS, Rewrite, all_made, rewritten

CONTEXTS = (6, 4, 2)  # words on either side by which the place of a change is found again
END = "\0"  # the word behind the last
# As the bank has it; the same, named by a bank that lacks it; made in other answers, or beside
# another.
BANK, LEFT_OUT, IN_VARIANT = "bank", "left out", "in a variant"
TWO, TWO_IN_VARIANT = "two in the reference", "two in a variant"
MADE = (IN_VARIANT, TWO, TWO_IN_VARIANT)
# The bank's, and those made in other answers, rewritten as strangers write.
STRANGE, STRANGE_IN_VARIANT = "rewritten", "rewritten in a variant"
KINDS = (BANK, LEFT_OUT, *MADE, STRANGE, STRANGE_IN_VARIANT)
MOST_REWRITES = 3


@dataclass(frozen=True)
class WrongAnswer:
    """An answer with known mistakes in it.

    Attributes:
        kind: one of KINDS.
        made: the mistakes, one or two.
        source: the answer's cell.
        base: the right answer that they are made in.
        bare: the cell before it is rewritten; the same as `source` where it is not.
        rewrites: in which ways it is written otherwise; some may be slips.
    """

    kind: str
    made: tuple[Mistake, ...]
    source: str
    base: str
    bare: str
    rewrites: tuple[Rewrite, ...] = ()

    @property
    def exercise(self) -> str:
        """The exercise that it answers."""
        return self.made[0].exercise

    @property
    def slips(self) -> tuple[Rewrite, ...]:
        """The slips among its rewrites."""
        return tuple(one for one in self.rewrites if one.is_slip)

    @property
    def is_lost(self) -> bool:
        """Whether the rewrites took the mistakes out, such as a wrong guard with the guard."""
        without, _ = all_made(self.base, self.rewrites, len(self.rewrites))
        return bool(self.rewrites) and plain(self.source) == plain(without)


def made(answer: WrongAnswer) -> LocalStudent:
    """A student with the answer."""
    return student_with(answer.exercise, answer.source)


def wrong_answers(
    exercise: str, each: int, seed: int, kinds: Collection[str] = KINDS
) -> Iterator[WrongAnswer]:
    """Answers of these kinds: every known mistake, and up to `each` of those that are made of them.

    Args:
        exercise: the exercise's name.
        each: how many of a kind; all that there are, or a sample.
        seed: decides the sample.
        kinds: some of KINDS.
    """
    reference = reference_source(exercise)
    for kind in (BANK, LEFT_OUT):
        if kind in kinds:
            yield from (
                WrongAnswer(kind, (one,), source_of(one), reference, source_of(one))
                for one in costly(exercise)
            )
    dice = random.Random(f"{seed} {exercise}")
    right = [plain(source_of(one)) for one in variants(exercise)]
    single = [(one,) for one in costly(exercise)]
    double = [pair for pair in combinations(costly(exercise), 2) if differ(*pair)]
    for kind, answers, sets in (
        (IN_VARIANT, right, single),
        (TWO, [reference], double),
        (TWO_IN_VARIANT, right, double),
        (STRANGE, [reference], single),
        (STRANGE_IN_VARIANT, right, single),
    ):
        ways = [(base, entries) for base in answers for entries in sets if kind in kinds]
        dice.shuffle(ways)
        count = 0
        for base, entries in ways:
            bare = source_of(entries[0]) if kind == STRANGE else with_mistakes(base, entries)
            source = bare
            rewrites: tuple[Rewrite, ...] = ()
            if source is not None and kind in (STRANGE, STRANGE_IN_VARIANT):
                order = dice.sample(SLIPS, len(SLIPS)) + dice.sample(HABITS, len(HABITS))
                source, rewrites = all_made(source, order, dice.randint(1, MOST_REWRITES))
            if bare is not None and source is not None and runs(exercise, source):
                yield WrongAnswer(kind, entries, source, base, bare, rewrites)
                count += 1
                if count == each:
                    break


def costly(exercise: str) -> list[Mistake]:
    """The known mistakes that make an answer wrong; the others are remarks."""
    return [one for one in mistakes(exercise) if not one.costs_nothing]


def right_answers(exercise: str, each: int, seed: int) -> Iterator[str]:
    """Right answers, rewritten by habits, which leave them right: up to `each`, or all."""
    dice = random.Random(f"{seed} {exercise}")
    sources = [reference_source(exercise), *(source_of(one) for one in variants(exercise))]
    ways = [(source, rewrite) for source in sources for rewrite in HABITS]
    dice.shuffle(ways)
    made = (rewritten(source, rewrite) for source, rewrite in ways)
    yield from islice((source for source in made if source is not None), each)


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
    """Another text with the edits of a base, each between the same words; None where not found.

    What stands at the end of the base belongs at the end of the other text.
    """
    words = [*WORD.findall(text), END]
    found: list[tuple[int, int, str]] = []
    for edit in edits:
        before, old = WORD.findall(base[: edit.start]), WORD.findall(base[edit.start : edit.end])
        after = [*WORD.findall(base[edit.end :]), END]
        for width in CONTEXTS:
            head, tail = before[-width:], after[:width]
            places = _places(words, [*head, *old, *tail])
            if len(places) == 1:
                start = places[0] + len(head)
                found.append((start, start + len(old), edit.new))
                break
        else:
            return None
    for start, end, new in sorted(found, reverse=True):
        words[start:end] = [new]
    return "".join(words).removesuffix(END)


def _places(words: list[str], wanted: list[str]) -> list[int]:
    """Where words stand one after the other; nowhere, where none of them is a name or a number."""
    if not any(re.match(r"\w", word) for word in wanted):
        return []
    last = len(words) - len(wanted)
    return [at for at in range(last + 1) if words[at : at + len(wanted)] == wanted]


def runs(exercise: str, source: str) -> bool:
    """Whether the cell runs, as a student's does before it is handed in."""
    try:
        student_with(exercise, source)
    except Exception:  # two changes together may be no Python, or use what is not there
        return False
    return True
