"""The known answers to an exercise, right and wrong, and what comparing an answer with them shows.

A mistake can be made in an answer of any style. Style shows in half precision and on the meta
device, where right answers differ among themselves: some compute in single precision, some read a
value back. There an answer that does as any right one does is not held to the mistake's own style.
But no style is to stop there alone, where no right answer stops: that is the mistake, or another.
"""

import copy
import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property

from autograder.bank import Mistake, mistakes, variants
from autograder.judging.answers import reference_source, source_of
from autograder.judging.behaviour import Behaviour, Observed, alike, stops
from autograder.judging.parts import kind_of
from autograder.judging.registry import Aspect, aspect_of

STYLED = re.compile("float16|meta|device|autocast")  # in the names of observations
MINUS_INFINITY = re.compile(r"""float\(["']-inf(inity)?["']\)|-(math|torch|np)\.inf\b""")
# As common; exp of either is 0 in float32.
INSTEAD = "-1e9"


def filled_in(source: str) -> str | None:
    """The same answer by one who fills in -1e9 for minus infinity; None where nobody fills."""
    changed = MINUS_INFINITY.sub(INSTEAD, source)
    return None if changed == source else changed


class KnownMistake(Observed):
    """How one entry of the bank behaves.

    Args:
        entry: the mistake.
        right: the reference, observed.
    """

    def __init__(self, entry: Mistake, right: Observed) -> None:
        super().__init__(entry.exercise, source_of(entry))
        self.entry = entry
        self._right = right
        self._errs: dict[str, bool] = {}

    @cached_property
    def with_finite_fill(self) -> Observed | None:
        """The same mistake by one who fills in -1e9 for minus infinity; None where nobody fills."""
        source = filled_in(self._source)
        return None if source is None else Observed(self._exercise, source)

    @property
    def fills(self) -> Iterator[Observed]:
        """The mistake, and the same by one who fills in -1e9; observed only where it is asked."""
        yield self
        if self.with_finite_fill is not None:
            yield self.with_finite_fill

    def errs(self, name: str) -> bool:
        """Whether an observation differs from the reference's."""
        if name not in self._errs:
            self._errs[name] = not alike(name, self.see(name), self._right.see(name))
        return self._errs[name]

    def errs_in_any_style(self, names: Iterable[str]) -> bool:
        """Whether it shows in one of these observations that has nothing to do with style."""
        return any(self.errs(name) for name in names if not STYLED.search(name))


class Bank:
    """The reference, other right answers and the known mistakes, most common first."""

    def __init__(self, exercise: str) -> None:
        self._exercise = exercise
        self.right = Observed(exercise, reference_source(exercise))
        known = (entry for entry in mistakes(exercise) if not entry.costs_nothing)
        self.mistakes = tuple(KnownMistake(entry, self.right) for entry in known)
        self._others = [Observed(exercise, source_of(one)) for one in variants(exercise)]

    def without(self, slug: str) -> "Bank":
        """The same bank, as it was before anybody knew this mistake."""
        less = copy.copy(self)
        less.mistakes = tuple(known for known in self.mistakes if known.entry.slug != slug)
        return less

    @cached_property
    def draws(self) -> bool:
        """Whether answers to the exercise are pictures."""
        return kind_of(self._exercise) == "picture"

    def aspect_of(self, observation: str) -> Aspect:
        """What an observation asks for."""
        return aspect_of(self._exercise, observation)

    def is_right(self, name: str, seen: object) -> bool:
        """Whether an observation is the reference's or, where styles differ, a right answer's."""
        if alike(name, seen, self.right.see(name)):
            return True
        styled = STYLED.search(name) is not None
        return styled and any(alike(name, seen, other.see(name)) for other in self._others)


class Compared:
    """A student's answer, compared with the known ones.

    Args:
        behaviour: its observations by name.
        bank: the exercise's known answers.
    """

    def __init__(self, behaviour: Behaviour, bank: Bank) -> None:
        self._bank = bank
        self._errs = {name: not bank.is_right(name, seen) for name, seen in behaviour.items()}
        # First what is wrong, where most mistakes differ from it: each look at one takes its time.
        self.behaviour = dict(sorted(behaviour.items(), key=lambda one: not self._errs[one[0]]))
        self._done_alike: dict[tuple[int, str], bool] = {}

    def at(self, names: Iterable[str]) -> "Compared":
        """The same answer, seen at these observations alone."""
        part = copy.copy(self)
        part.behaviour = {name: self.behaviour[name] for name in names}
        part._errs = {name: self._errs[name] for name in part.behaviour}
        return part

    def errs(self, name: str) -> bool:
        """Whether an observation is no right answer's."""
        return self._errs[name]

    @property
    def is_right(self) -> bool:
        """Whether every observation is a right answer's."""
        return not any(self._errs.values())

    @property
    def only_says(self) -> bool:
        """Whether words are all that is wrong, such as an error: no value tells what is done."""
        return all(
            isinstance(self.behaviour[name], str) for name, wrong in self._errs.items() if wrong
        )

    @property
    def where_it_gives(self) -> "Compared":
        """The same answer where it gives anything: who writes for one number of axes stops else."""
        return self.at(name for name, seen in self.behaviour.items() if not stops(seen))

    @property
    def only_raises(self) -> bool:
        """Whether all that is wrong is that it stops, which it may do for any reason."""
        return all(stops(self.behaviour[name]) for name, wrong in self._errs.items() if wrong)

    def is_like(self, known: Observed, names: Iterable[str] | None = None) -> bool:
        """Whether it does what a known answer does, in that one's style or another.

        Args:
            known: the known answer.
            names: the order in which to compare; that of the probe when not given.
        """
        shows = any(wrong for name, wrong in self._errs.items() if not STYLED.search(name))
        return all(
            (shows and self._in_right_style(name)) or self.does_as(known, name)
            for name in names or self.behaviour
        ) and self._stops_alike(known)

    def is_like_but_for_style(self, known: Observed) -> bool:
        """Whether it does what a known answer does wherever style does not show."""
        plain = [name for name in self.behaviour if not STYLED.search(name)]
        shows = any(self._errs[name] for name in plain)
        return (
            shows and all(self.does_as(known, name) for name in plain) and self._stops_alike(known)
        )

    def is_like_filled(self, known: KnownMistake, answer: "Compared") -> bool:
        """Whether it does what a mistake does where -1e9 stands for minus infinity.

        It is to give something where the fill shows: what stops there may stop for any reason.

        Args:
            known: the mistake.
            answer: all of the answer, which is to do as the mistake itself somewhere: what shows
                only where the fill does is about the fill, and would be another mistake.
        """
        filled = known.with_finite_fill
        return (
            filled is not None
            and any(known.errs(name) and answer.does_as(known, name) for name in answer.behaviour)
            and self.is_like(filled)
            and not all(stops(seen) or self.does_as(known, n) for n, seen in self.behaviour.items())
        )

    def does_as(self, known: Observed, name: str) -> bool:
        """Whether one observation is a known answer's."""
        key = id(known), name
        if key not in self._done_alike:
            self._done_alike[key] = alike(name, self.behaviour[name], known.see(name))
        return self._done_alike[key]

    def may_make(self, known: KnownMistake) -> bool:
        """Whether a mistake shows only where the answer is wrong; otherwise it was not made.

        Of pictures, each part is looked at by itself: a drawing takes a hundred times as long as a
        small tensor, and the first one rules out most mistakes so.
        """
        if self._bank.draws and any(
            self._shows_beside(name, seen, known.see(name), self._bank.right.see(name))
            for name, seen in self.behaviour.items()
            if self._errs[name] and not STYLED.search(name)
        ):
            return False
        return not any(
            known.errs(name)
            for name, wrong in self._errs.items()
            if not wrong and not STYLED.search(name)
        )

    def may_say(self, one: KnownMistake, other: KnownMistake) -> bool:
        """Whether two mistakes say what a drawing answer says: an error, or what came back instead.

        Of other answers that is not asked: two mistakes may stop an answer that neither stops.
        """
        return not self._bank.draws or all(
            self.does_as(one, name) or self.does_as(other, name)
            for name, seen in self.behaviour.items()
            if self._errs[name] and isinstance(seen, str)
        )

    def unexplained_by(self, one: KnownMistake, other: KnownMistake) -> int:
        """At how much of what is wrong it does as neither of two mistakes, and not both show."""

        def explained(name: str) -> bool:
            if one.errs(name) and other.errs(name):
                return True
            return any(
                known.errs(name) and any(self.does_as(style, name) for style in known.fills)
                for known in (one, other)
            )

        return sum(not explained(name) for name, wrong in self._errs.items() if wrong)

    def _stops_alike(self, known: Observed) -> bool:
        """Whether the two stop at the same observations, where they stop only as style shows."""
        stopped = {
            name for name, wrong in self._errs.items() if wrong and stops(self.behaviour[name])
        }
        if any(not STYLED.search(name) for name in stopped):
            return True
        styled = ((name, known.see(name)) for name in self._errs if STYLED.search(name))
        return stopped == {
            name for name, seen in styled if stops(seen) and not self._bank.is_right(name, seen)
        }

    def _shows_beside(self, name: str, seen: object, known: object, right: object) -> bool:
        """Whether a mistake shows in a part of an observation in which the answer is right."""
        if all(type(one) is tuple for one in (seen, known, right)):
            parts = list(zip(seen, known, right, strict=False))  # type: ignore[call-overload]
            return any(self._shows_beside(name, *part) for part in parts)
        return alike(name, seen, right) and not alike(name, known, right)

    def _in_right_style(self, name: str) -> bool:
        return not self._errs[name] and STYLED.search(name) is not None


@cache
def bank_of(exercise: str) -> Bank:
    """The exercise's known answers; what they do is kept for the life of the process."""
    return Bank(exercise)
