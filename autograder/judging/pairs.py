"""Names two known mistakes that an answer makes at once.

No single entry of the bank behaves as such an answer does; the two written into one answer do. So
pairs are tried, and only what all the pairs that fit have in common is claimed: both names where
one pair fits, one name where they share one, and none where they share nothing. Nor does an answer
that only stops say which two mistakes stop it.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, combinations

from autograder.bank import Mistake
from autograder.judging.bank import Bank, Compared, KnownMistake, filled_in
from autograder.judging.behaviour import Observed
from autograder.judging.combining import combined

Pair = tuple[KnownMistake, KnownMistake]

# Pairs that are tried where the likely ones do not fit: a tenth of a second to a second's work.
MOST_TRIED = 400
# Where there are more, of those that leave one thing unexplained, where both may show together.
MOST_NEAR = 20


def both_of(answer: Compared, bank: Bank, fills: Sequence[bool] = (False,)) -> list[Mistake]:
    """What all pairs of mistakes that behave as the answer does have in common.

    Args:
        answer: a wrong answer that no single entry behaves like.
        bank: the exercise's known answers.
        fills: whether -1e9 stands for minus infinity, for each way to try.
    Returns:
        two entries, one, or none.
    """
    if answer.only_raises:
        return []
    by_rest = _candidates(answer, bank)
    fitting = _fitting(by_rest.pop(0, []), answer, fills)
    if not fitting and sum(map(len, by_rest.values())) <= MOST_TRIED:
        fitting = _fitting(chain(*by_rest.values()), answer, fills)
    elif not fitting:
        fitting = _fitting(by_rest.get(1, [])[:MOST_NEAR], answer, fills)
    # A pair in the answer's own style explains more than one in another.
    fitting = [pair for pair in fitting if _exactly(*pair, answer)] or fitting
    if not fitting:
        return []
    shared = set.intersection(*({known.entry.slug for known in pair} for pair in fitting))
    return [known.entry for known in fitting[0] if known.entry.slug in shared]


def _candidates(answer: Compared, bank: Bank) -> dict[int, list[Pair]]:
    """The pairs that nothing rules out, by how much what each does alone leaves unexplained."""
    may_make = cache(answer.may_make)
    pairs: dict[int, list[Pair]] = {}
    for one, other in combinations(bank.mistakes, 2):
        if one.entry.slug == other.entry.slug or not answer.may_say(one, other):
            continue
        if may_make(one) and may_make(other):
            pairs.setdefault(answer.unexplained_by(one, other), []).append((one, other))
    return pairs


def _fitting(pairs: Iterable[Pair], answer: Compared, fills: Sequence[bool]) -> list[Pair]:
    """The pairs that do together what the answer does."""
    return [pair for pair in pairs if _together(*pair, answer, fills)]


def _together(
    one: KnownMistake, other: KnownMistake, answer: Compared, fills: Sequence[bool]
) -> bool:
    """Whether the two in one answer do what the answer does, and what neither does alone."""
    # What two do together is not known yet where both show: most pairs differ there at once.
    told = sorted(answer.behaviour, key=lambda name: not (one.errs(name) and other.errs(name)))
    return any(
        answer.is_like(pair, told)
        and all(
            known.errs_in_any_style(told) and not _behaves_like(known, pair, told)
            for known in (one, other)
        )
        for pair in _styles(one, other, fills)
    )


def _styles(one: KnownMistake, other: KnownMistake, fills: Sequence[bool]) -> Iterator[Observed]:
    """The two in one answer, with each fill for minus infinity; let go of once it has been used."""
    for fill in fills:
        pair = together(one.entry, other.entry, fill)
        if pair is not None:
            yield pair
            pair.release()


def _behaves_like(one: Observed, pair: Observed, names: list[str]) -> bool:
    return one.behaves_like({name: pair.see(name) for name in names})


def _exactly(one: KnownMistake, other: KnownMistake, answer: Compared) -> bool:
    pair = together(one.entry, other.entry)
    return pair is not None and pair.behaves_like(answer.behaviour)


@cache
def together(one: Mistake, other: Mistake, with_finite_fill: bool = False) -> Observed | None:
    """Two mistakes in one answer, kept for the life of the process.

    Args:
        one: a mistake.
        other: another in the same exercise.
        with_finite_fill: whether -1e9 stands for minus infinity.
    Returns:
        None where they do not fit together, or where nothing is filled in.
    """
    source = combined(one, other)
    if source is not None and with_finite_fill:
        source = filled_in(source)
    return None if source is None else Observed(one.exercise, source)
