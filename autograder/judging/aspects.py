"""Names an idea and the slips beside it, each by the aspect of behaviour that it shows in.

Who has the wrong idea often slips as well: no ValueError, a device forgotten, a mask of numbers. No
known mistake behaves as such an answer does, and no pair of them. So what an answer gives at plain
values is compared by itself, and tells the idea; each other aspect is compared by itself too, with
the idea taken into account, and tells a slip. An aspect that nothing explains takes no name from
the others.
"""

import re
from collections.abc import Iterable

from autograder.bank import Mistake
from autograder.judging.bank import Bank, Compared, KnownMistake
from autograder.judging.behaviour import Observed
from autograder.judging.pairs import both_of, together

ASPECTS = {
    "device": re.compile("meta|device|GPU|moved"),
    "dtype": re.compile("float16|^float64|double|autocast|32 bits"),
    "refusal": re.compile(
        "refus|indivisible|^none$|names numbers|no heads|too (many|few)|fewer|one key$|more key"
    ),
    "changes": re.compile("changed|untouched|state kept|silent|from outside"),
    "form": re.compile("^kind$|^forms?$|^list$|^shapes$"),
    "numerics": re.compile("^far(, mask)?$|large|wild|^apart$|93|leaks"),
}


def aspect_of(name: str) -> str:
    """The aspect that an observation asks for; `values` where it is none of the slips'."""
    return next((aspect for aspect, names in ASPECTS.items() if names.search(name)), "values")


def idea_and_slips(answer: Compared, bank: Bank) -> list[Mistake]:
    """What explains an answer aspect by aspect: an idea, or two, and slips; empty if none is sure.

    Args:
        answer: a wrong answer that neither a known mistake nor two explain.
        bank: the exercise's known answers.
    """
    by_aspect: dict[str, list[str]] = {}
    for name in answer.behaviour:
        by_aspect.setdefault(aspect_of(name), []).append(name)
    values = answer.at(by_aspect.pop("values", []))
    ideas: list[Mistake] = []
    if not values.is_right:
        if values.only_says:
            return []
        ideas = _idea(values, answer, bank)
        if len(ideas) > 1:
            return []
        ideas = ideas or both_of(values, bank)
        if not ideas:
            return []
    slips = []
    for names in by_aspect.values():
        part = answer.at(names)
        if part.is_right or _explained(part, ideas, bank):
            continue
        slip = _slip(part, answer, ideas, bank)
        if slip is None and not ideas:
            return []
        slips += [slip] if slip else []
    return [*ideas, *{slip.slug: slip for slip in slips if slip not in ideas}.values()]


def _idea(values: Compared, answer: Compared, bank: Bank) -> list[Mistake]:
    """The mistakes that give the answer's values: one, or those of which none is likelier."""
    alike = [
        known
        for known in bank.mistakes
        if _is_alike(values, known) and not _shows_elsewhere(known, answer)
    ]
    likely = {known: _likelihood(known, answer) for known in alike}
    best = {
        known.entry.slug: known.entry for known in alike if likely[known] == max(likely.values())
    }
    return list(best.values())


def _is_alike(values: Compared, known: KnownMistake) -> bool:
    filled = known.with_finite_fill
    return values.is_like(known) or (filled is not None and values.is_like(filled))


def _shows_elsewhere(known: KnownMistake, answer: Compared) -> bool:
    """Whether a mistake shows where the answer is right."""
    return any(known.errs(name) and not answer.errs(name) for name in answer.behaviour)


def _likelihood(known: KnownMistake, answer: Compared) -> tuple[int, int]:
    """In how much of what is wrong a mistake is like the answer, and in how little it is not."""
    wrong = [name for name in answer.behaviour if known.errs(name)]
    agreeing = sum(answer.does_as(known, name) for name in wrong)
    return agreeing, agreeing - len(wrong)


def _explained(part: Compared, ideas: list[Mistake], bank: Bank) -> bool:
    """Whether the ideas alone do what the answer does in this aspect."""
    seen = _with(ideas, bank)
    return seen is not None and part.is_like(seen)


def _slip(part: Compared, answer: Compared, ideas: list[Mistake], bank: Bank) -> Mistake | None:
    """The one mistake that explains an aspect and shows nowhere that the answer is right."""
    found: dict[str, Mistake] = {}
    for known in bank.mistakes:
        if known.entry in ideas or _is_idea(known, answer) or not answer.may_make(known):
            continue
        if not any(part.errs(name) and known.errs(name) for name in part.behaviour):
            continue
        seen = _with([*ideas, known.entry], bank) if ideas else known
        if part.is_like(known) or (seen is not None and part.is_like(seen)):
            found[known.entry.slug] = known.entry
    return next(iter(found.values())) if len(found) == 1 else None


def _is_idea(known: KnownMistake, answer: Compared) -> bool:
    names: Iterable[str] = answer.behaviour
    return any(known.errs(name) for name in names if aspect_of(name) == "values")


def _with(entries: list[Mistake], bank: Bank) -> Observed | None:
    """A known mistake, or two in one answer."""
    if len(entries) == 1:
        return next(known for known in bank.mistakes if known.entry == entries[0])
    return together(*entries) if len(entries) == 2 else None
