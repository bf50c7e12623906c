"""Which misconceptions go away from one assignment to the next, and which stay."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from autograder.report.class_table import ClassTable
from autograder.report.known_words import KnownWords


@dataclass(frozen=True)
class Change:
    """A misconception in two assignments that follow each other, both of which could show it.

    Each student who held it in the first is counted once in `gone`, `stayed` or `unseen`.

    Attributes:
        slug: its name.
        before: the first assignment.
        after: the second.
        held: how many students held it in the first.
        gone: those who tried an exercise that could show it in the second, and do not.
        stayed: those who hold it there as well.
        unseen: those who tried no such exercise.
        new: those who did not show it in the first, and do in the second.
    """

    slug: str
    before: str
    after: str
    held: int
    gone: int
    stayed: int
    unseen: int
    new: int

    @property
    def pair(self) -> tuple[str, str]:
        """The two assignments."""
        return self.before, self.after


def changes_between(tables: Sequence[ClassTable], words: KnownWords) -> tuple[Change, ...]:
    """Every misconception over every two assignments that follow each other, the commonest first.

    Args:
        tables: the answers, in the course's order.
        words: tells where each misconception could show.
    """
    changes = [one for pair in pairwise(tables) for one in _between(*pair, words)]
    return tuple(sorted(changes, key=lambda one: (-one.held, one.slug)))


def _between(first: ClassTable, second: ClassTable, words: KnownWords) -> Iterable[Change]:
    held_first, held_second = _holders(first), _holders(second)
    before, after = first.assignment.name, second.assignment.name
    for slug in held_first.keys() | held_second.keys():
        could = words.could_show(after, slug)
        if not could or not words.could_show(before, slug):
            continue
        held, then = held_first.get(slug, set()), held_second.get(slug, set())
        seen = _tried(second, could)
        yield Change(
            slug=slug,
            before=before,
            after=after,
            held=len(held),
            gone=len((held & seen) - then),
            stayed=len(held & then),
            unseen=len(held - seen - then),
            new=len(then - held),
        )


def _holders(table: ClassTable) -> dict[str, set[str]]:
    """The people who hold each misconception."""
    found: dict[str, set[str]] = {}
    for standing in table.standings:
        for finding in (standing.findings or {}).values():
            for slug in finding.misconceptions if finding.attempted else ():
                found.setdefault(slug, set()).update(one.id for one in standing.people)
    return found


def _tried(table: ClassTable, exercises: Iterable[str]) -> set[str]:
    answers = [one for name in exercises for one in table.findings(name)]
    return {
        person.id
        for standing, finding in answers
        if finding.attempted
        for person in standing.people
    }
