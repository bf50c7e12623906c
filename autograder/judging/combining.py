"""Writes two known mistakes into one answer, where they can be made together.

Two changes of the reference go together where they touch different words of it. A mistake that is
given as a whole cell counts as the changes that lead to it from the reference, or from another
right answer that it is closer to.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache

from autograder.bank import Mistake, variants
from autograder.judging.answers import reference_source, source_of

WORD = re.compile(r"\w+|\s+|.")
# A cell that shares fewer of its words with a right answer is no change of that answer.
CLOSE = 0.6


@dataclass(frozen=True)
class Edit:
    """A piece of a text, from `start` up to `end`, and what takes its place."""

    start: int
    end: int
    new: str

    def clashes(self, other: "Edit") -> bool:
        """Whether the two touch the same place."""
        if self.start == other.start:
            return True
        return self.start < other.end and other.start < self.end


def combined(one: Mistake, other: Mistake) -> str | None:
    """An answer with both mistakes; None where they cannot be made together."""
    return next((source for source in _ways(one, other) if source and parses(source)), None)


def changed(source: str, change: tuple[tuple[str, str], ...]) -> str | None:
    """A source after replacements; None where a text to be replaced does not stand there once."""
    for old, new in change:
        if source.count(old) != 1:
            return None
        source = source.replace(old, new)
    return source


def _ways(one: Mistake, other: Mistake) -> Iterator[str | None]:
    if one.change and other.change:
        yield _side_by_side(one, other)
    for first, second in ((one, other), (other, one)):
        if second.change:
            yield changed(source_of(first), second.change)
    if one.code or other.code:
        for base in bases(one.exercise):
            yield _merged(base, differences(base, one), differences(base, other))


def _side_by_side(one: Mistake, other: Mistake) -> str | None:
    """Both changes, side by side; after the steps that both begin with, such as a rewriting."""
    shared = _in_common(one.change, other.change)
    base = changed(reference_source(one.exercise), one.change[:shared])
    if base is None:
        return None
    first, second = (_replacements(base, entry.change[shared:]) for entry in (one, other))
    return _merged(base, first, second)


def _replacements(base: str, change: tuple[tuple[str, str], ...]) -> list[Edit] | None:
    """The changes, cut down to the words that differ; None if one builds on another."""
    found = []
    for old, new in change:
        if base.count(old) != 1:
            return None
        found.append(_cut_down(base.index(old), old, new))
    return found


def _cut_down(place: int, old: str, new: str) -> Edit:
    before, after = tuple(WORD.findall(old)), tuple(WORD.findall(new))
    head = _in_common(before, after)
    tail = _in_common(before[head:][::-1], after[head:][::-1])
    start = sum(map(len, before[:head]))
    behind = sum(map(len, before[len(before) - tail :]))
    return Edit(place + start, place + len(old) - behind, new[start : len(new) - behind])


def _in_common(one: tuple[object, ...], other: tuple[object, ...]) -> int:
    """How many items two sequences share at their start."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


@cache
def bases(exercise: str) -> tuple[str, ...]:
    """Right answers to change: the reference first."""
    others = (source_of(variant) for variant in variants(exercise))
    return tuple(plain(source) for source in (reference_source(exercise), *others))


@cache
def differences(base: str, entry: Mistake) -> tuple[Edit, ...] | None:
    """The changes that lead from a right answer to the entry's cell.

    None where the cell has little in common with it, and where it waits in a loop: with another
    mistake in it, the wait might never end.
    """
    text = plain(source_of(entry))
    old, new = WORD.findall(base), WORD.findall(text)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if re.search(r"\bwhile\b", text) or matcher.quick_ratio() < CLOSE or matcher.ratio() < CLOSE:
        return None
    places = [0]
    for word in old:
        places.append(places[-1] + len(word))
    return tuple(
        Edit(places[i], places[j], "".join(new[k:m]))
        for tag, i, j, k, m in matcher.get_opcodes()
        if tag != "equal"
    )


def plain(source: str) -> str:
    """The source without what does not run: comments, layout, docstrings and annotations."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            if ast.get_docstring(node) is not None and len(node.body) > 1:
                del node.body[0]
    return ast.unparse(tree)


def _merged(base: str, first: Sequence[Edit] | None, second: Sequence[Edit] | None) -> str | None:
    """The base with both sets of changes; None where they disagree about a place, or one adds none.

    What both change alike, such as how a thing is written, is changed once.
    """
    if first is None or second is None:
        return None
    own, others = set(first) - set(second), set(second) - set(first)
    if not own or not others or any(one.clashes(other) for one in own for other in others):
        return None
    for edit in sorted({*first, *second}, key=lambda one: one.start, reverse=True):
        base = base[: edit.start] + edit.new + base[edit.end :]
    return base


def parses(source: str) -> bool:
    """Whether the source is Python."""
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True
