"""Names an idea and the slips beside it, each by the aspect of behaviour that it shows in.

Who has the wrong idea often slips as well: no ValueError, a device forgotten, another dtype. No
known mistake behaves as such an answer does, and no pair of them. So what an answer gives at plain
values is compared by itself, and tells the idea; each other aspect is compared by itself too, with
the idea taken into account, and tells a slip. An aspect that nothing explains takes no name from
the others, where one idea alone explains enough of the values; so do gradients that it does not
explain.
"""

from collections.abc import Iterator
from itertools import product

from autograder.bank import Mistake
from autograder.judging.bank import Bank, Compared, KnownMistake
from autograder.judging.behaviour import Observed, is_gradient
from autograder.judging.pairs import both_of, together
from autograder.judging.registry import Aspect

# What shows there is the same, whatever the values are.
APART: set[Aspect] = {"device", "refusal", "changes", "form"}
# What is wrong there has nothing to do with what is wrong elsewhere.
BY_THEMSELVES: set[Aspect] = {"refusal", "changes"}
# What is wrong there may be what is wrong in the values: unexplained, it casts doubt on an idea.
DOUBTFUL: set[Aspect] = {"numerics", "changes"}

# Of so many observations an idea is told at least, where an answer stops at the others.
FEWEST = 3
# In so many an idea shows at least, where there is doubt.
SURE = 2


def idea_and_slips(answer: Compared, bank: Bank) -> list[Mistake]:
    """What explains an answer aspect by aspect: an idea, or two, and slips; empty if none is sure.

    Args:
        answer: a wrong answer that neither a known mistake nor two explain.
        bank: the exercise's known answers.
    """
    by_aspect: dict[Aspect, list[str]] = {}
    for name in answer.behaviour:
        by_aspect.setdefault(bank.aspect_of(name), []).append(name)
    values = answer.at(by_aspect.pop("values", []))
    results = values.at(name for name in values.behaviour if not is_gradient(name))
    given, unexplained, doubtful = values.where_it_gives, False, False
    ideas: list[Mistake] = []
    if not values.is_right:
        ideas = _ideas(values, answer, bank)
        unexplained = doubtful = not ideas
        if not ideas and len(given.behaviour) >= max(FEWEST, len(values.behaviour) / 3):
            ideas = _likeliest(given, answer, bank)
        if not ideas and len(results.behaviour) >= FEWEST:
            ideas = _likeliest(results, answer, bank)
        if len(ideas) != 1 and doubtful:
            return []
    slips: dict[Aspect, list[Mistake]] = {}
    for aspect, names in by_aspect.items():
        part = answer.at(names)
        if part.is_right or _explained(part, ideas, bank):
            continue
        slips[aspect] = _slips(part, answer, ideas, bank, aspect)
        unexplained |= not slips[aspect]
        doubtful |= not slips[aspect] and aspect in DOUBTFUL
    if unexplained and not _are_sure(ideas, given if doubtful else values, doubtful):
        ideas, slips = [], {one: found for one, found in slips.items() if one in BY_THEMSELVES}
    return _all_of(ideas, [slip for found in slips.values() for slip in found])


def _are_sure(ideas: list[Mistake], values: Compared, doubtful: bool) -> bool:
    """Whether ideas are told by enough of the values, where something else has no explanation.

    A gradient that is cut may have other reasons than the mistakes that cut nothing else. And two
    ideas at once explain much by chance.

    Args:
        ideas: what explains the values.
        values: the answer at the values; where there is doubt, at those that it gives.
        doubtful: whether what has no explanation may be what is wrong in the values.
    """
    results = [name for name in values.behaviour if not is_gradient(name)]
    wrong = sum(map(values.errs, results))
    if not doubtful:
        return wrong > 0
    return len(ideas) == 1 and (wrong >= SURE or 0 < wrong == len(results))


def _all_of(ideas: list[Mistake], slips: list[Mistake]) -> list[Mistake]:
    """Ideas and then slips, each slug once."""
    return [*ideas, *{slip.slug: slip for slip in slips if slip not in ideas}.values()]


def _ideas(values: Compared, answer: Compared, bank: Bank) -> list[Mistake]:
    """The mistake, or the two, that give these values; none where several might."""
    likely = _likeliest(values, answer, bank)
    if likely:
        return likely if len(likely) == 1 else []
    return [] if values.only_says else both_of(values, bank, fills=(False, True))


def _likeliest(values: Compared, answer: Compared, bank: Bank) -> list[Mistake]:
    """The mistakes that give the answer's values: one, or those of which none is likelier."""
    if values.only_says:  # where all is right, too
        return []
    alike = [
        known
        for known in bank.mistakes
        if (values.is_like(known) or values.is_like_filled(known, answer))
        and not _shows_elsewhere(known, answer)
    ]
    likely = {known: _likelihood(known, answer) for known in alike}
    best = {
        known.entry.slug: known.entry for known in alike if likely[known] == max(likely.values())
    }
    return list(best.values())


def _shows_elsewhere(known: KnownMistake, answer: Compared) -> bool:
    """Whether a mistake shows where the answer is right, and does otherwise than the mistake."""
    return any(
        known.errs(name) and not answer.errs(name) and not answer.does_as(known, name)
        for name in answer.behaviour
    )


def _likelihood(known: KnownMistake, answer: Compared) -> tuple[int, int]:
    """In how much of what is wrong a mistake is like the answer, and in how little it is not."""
    wrong = [name for name in answer.behaviour if known.errs(name)]
    agreeing = sum(answer.does_as(known, name) for name in wrong)
    return agreeing, agreeing - len(wrong)


def _explained(part: Compared, ideas: list[Mistake], bank: Bank) -> bool:
    """Whether the ideas alone do what the answer does in this aspect."""
    return any(map(part.is_like, _with(ideas, bank)))


def _slips(
    part: Compared, answer: Compared, ideas: list[Mistake], bank: Bank, aspect: Aspect
) -> list[Mistake]:
    """The mistake that explains an aspect, or one for each of its observations; empty if none does.

    Args:
        part: the answer, seen at the aspect's observations.
        answer: all of it.
        ideas: what explains its values.
        bank: the exercise's known answers.
        aspect: the aspect.
    """
    if aspect == "numerics" and ideas:
        return []  # what is large shows the idea as well, and too little of anything else
    parts = [part]
    if aspect in APART:
        wrong = [name for name in part.behaviour if part.errs(name)]
        parts += [part.at([name]) for name in wrong] if len(wrong) > 1 else []
    whole, *single = (_slip(one, answer, ideas, bank, aspect in APART) for one in parts)
    if whole is not None:
        return [whole]
    return [one for one in single if one is not None] if None not in single else []


def _slip(
    part: Compared, answer: Compared, ideas: list[Mistake], bank: Bank, is_apart: bool
) -> Mistake | None:
    """The one mistake that explains a part and shows nowhere that the answer is right."""
    found: dict[str, Mistake] = {}
    for known in bank.mistakes:
        shows = (bank.aspect_of(name) for name in answer.behaviour if known.errs(name))
        if known.entry in ideas or "values" in shows or _shows_elsewhere(known, answer):
            continue
        if not any(part.errs(name) and known.errs(name) for name in part.behaviour):
            continue
        by_itself = is_apart or not ideas or part.only_raises
        if (by_itself and part.is_like(known)) or any(
            map(part.is_like, _with(ideas, bank, known.entry))
        ):
            found[known.entry.slug] = known.entry
    return next(iter(found.values())) if len(found) == 1 else None


def _with(ideas: list[Mistake], bank: Bank, *slips: Mistake) -> Iterator[Observed]:
    """A known mistake, or two in one answer, in each form that the bank has of the ideas."""
    forms = [[one for one in bank.mistakes if one.entry.slug == idea.slug] for idea in ideas]
    for known in product(*forms):
        entries = [*(one.entry for one in known), *slips]
        if len(entries) == 1 and known:
            yield known[0]
        elif len(entries) == 2 and (seen := together(*entries)) is not None:
            yield seen
