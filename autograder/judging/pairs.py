"""Names two known mistakes that an answer makes at once.

No single entry of the bank behaves as such an answer does; the two written into one answer do. So
pairs are tried, and only what all the pairs that fit have in common is claimed: both names where
one pair fits, one name where they share one, and none where they share nothing. Nor does an answer
that only stops say which two mistakes stop it.
"""

from functools import cache
from itertools import combinations

from autograder.bank import Mistake
from autograder.judging.bank import Bank, Compared, KnownMistake
from autograder.judging.behaviour import Observed
from autograder.judging.combining import combined

Pair = tuple[KnownMistake, KnownMistake]

# Pairs that are tried where the likely ones do not fit: a tenth of a second to a second's work.
MOST_TRIED = 400


def both_of(answer: Compared, bank: Bank) -> list[Mistake]:
    """What all pairs of mistakes that behave as the answer does have in common.

    Args:
        answer: a wrong answer that no single entry behaves like.
        bank: the exercise's known answers.
    Returns:
        two entries, one, or none.
    """
    if answer.only_raises:
        return []
    likely, others = _candidates(answer, bank)
    fitting = [pair for pair in likely if _together(*pair, answer)]
    if not fitting and len(others) <= MOST_TRIED:
        fitting = [pair for pair in others if _together(*pair, answer)]
    # A pair in the answer's own style explains more than one in another.
    fitting = [pair for pair in fitting if _exactly(*pair, answer)] or fitting
    if not fitting:
        return []
    shared = set.intersection(*({known.entry.slug for known in pair} for pair in fitting))
    return [known.entry for known in fitting[0] if known.entry.slug in shared]


def _candidates(answer: Compared, bank: Bank) -> tuple[list[Pair], list[Pair]]:
    """The pairs that what each mistake does alone leads to, and those that it does not rule out."""
    possible = [known for known in bank.mistakes if answer.may_make(known)]
    likely: list[Pair] = []
    others: list[Pair] = []
    for one, other in combinations(possible, 2):
        if one.entry.slug != other.entry.slug:
            (likely if answer.may_make_both(one, other) else others).append((one, other))
    return likely, others


def _together(one: KnownMistake, other: KnownMistake, answer: Compared) -> bool:
    """Whether the two in one answer do what the answer does, and what neither does alone."""
    pair = together(one.entry, other.entry)
    if pair is None:
        return False
    # What two do together is not known yet where both show: most pairs differ there at once.
    told = sorted(answer.behaviour, key=lambda name: not (one.errs(name) and other.errs(name)))
    fits = answer.is_like(pair, told) and all(
        known.errs_in_any_style(told) and not _behaves_like(known, pair, told)
        for known in (one, other)
    )
    pair.release()
    return fits


def _behaves_like(one: Observed, pair: Observed, names: list[str]) -> bool:
    return one.behaves_like({name: pair.see(name) for name in names})


def _exactly(one: KnownMistake, other: KnownMistake, answer: Compared) -> bool:
    pair = together(one.entry, other.entry)
    return pair is not None and pair.behaves_like(answer.behaviour)


@cache
def together(one: Mistake, other: Mistake) -> Observed | None:
    """Two mistakes in one answer, kept for the life of the process; None where they do not fit."""
    source = combined(one, other)
    return None if source is None else Observed(one.exercise, source)
