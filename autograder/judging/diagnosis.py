"""Names the misunderstanding behind a wrong answer: the known mistake that behaves the same.

Tests say that an answer is wrong; a probe says how it behaves. The same probe observes the
student's code, the reference and every known mistake. An entry that agrees with the student in
every observation names the mistake; where none does, two of them made at once may. Otherwise
nothing is named: a wrong name is worse than none.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from autograder.bank import Mistake
from autograder.judging.aspects import idea_and_slips
from autograder.judging.bank import Bank, Compared, KnownMistake, bank_of
from autograder.judging.behaviour import Behaviour, observe
from autograder.judging.pairs import both_of
from autograder.judging.registry import probe_of
from autograder.judging.symptoms import sentence

VAGUE = re.compile("values are wrong|right and others are wrong|numbers are wrong")


def diagnose(exercise: str, student: Any, claimed: Iterable[str] = ()) -> list[Mistake]:
    """The known mistakes that a wrong answer shows: one, or two made at once; empty if none fits.

    Args:
        exercise: the exercise's name; nothing is named unless its grader has been imported.
        student: the student's code.
        claimed: as for `named_from`.

    Raises:
        StudentDied: the student's process ended while it was observed.
    """
    if probe_of(exercise) is None:
        return []
    return named_from(bank_of(exercise), observe(exercise, student), claimed)


def rehearse(exercise: str) -> Iterator[None]:
    """Glance at the known answers to an exercise, one a step, and keep what was seen.

    Processes that are forked later share it. Each would see, and hold, the same for itself.
    """
    if probe_of(exercise) is not None:
        bank = bank_of(exercise)
        for known in (bank.right, *bank.mistakes):
            known.glance()
            yield


def named_from(bank: Bank, behaviour: Behaviour, claimed: Iterable[str] = ()) -> list[Mistake]:
    """The mistakes of a bank that what a wrong answer does shows: one, two or none.

    Args:
        bank: the known answers to its exercise.
        behaviour: its observations by name.
        claimed: the slugs that its failed hidden tests are sure of, each by what that test alone
            can see (`Wrong.misconception`), such as how much memory the answer takes. They count
            where the answer behaves as a right one; elsewhere behaviour decides.
    """
    answer = Compared(behaviour, bank)
    if answer.is_right:
        wanted = set(claimed)
        by_slug = {known.entry.slug: known.entry for known in bank.mistakes}
        return [entry for slug, entry in by_slug.items() if slug in wanted]
    found = _one_of(answer, bank)
    if found and not answer.is_like(_known(found[0], bank)):
        found = _with_slips(found, answer, bank)
    found = found or both_of(answer, bank) or idea_and_slips(answer, bank)
    return _ideas_first(found, answer, bank) if len(found) > 1 else found


def describe(symptoms: Sequence[str]) -> str:
    """What to tell a student whose mistake has no name: the first symptom, and what it leaves open.

    Args:
        symptoms: what the failed tests saw, in their order; no empty ones.
    """
    told = map(sentence, telling(symptoms))
    return " ".join(told) or "Something is wrong, but nothing more can be said about it."


def telling(symptoms: Sequence[str]) -> list[str]:
    """The symptoms that are told: the first, and after a vague one the first that is not vague."""
    first = list(symptoms[:1])
    if not first or not is_vague(first[0]):
        return first
    return first + [other for other in symptoms if not is_vague(other)][:1]


def is_vague(symptom: str) -> bool:
    """Whether a symptom says that something is wrong, and not what."""
    return VAGUE.search(symptom) is not None


def _ideas_first(found: list[Mistake], answer: Compared, bank: Bank) -> list[Mistake]:
    """Mistakes that show in plain values, before slips, which show elsewhere."""
    known = {one.entry: one for one in bank.mistakes}
    values = [name for name in answer.behaviour if bank.aspect_of(name) == "values"]
    return sorted(found, key=lambda entry: not any(map(known[entry].errs, values)))


def _known(entry: Mistake, bank: Bank) -> KnownMistake:
    return next(one for one in bank.mistakes if one.entry == entry)


def _with_slips(found: list[Mistake], answer: Compared, bank: Bank) -> list[Mistake]:
    """The mistake that explains all but what style explains, and the slips that show there."""
    more = idea_and_slips(answer, bank)
    return more if found[0].slug in {one.slug for one in more} else found


def _one_of(answer: Compared, bank: Bank) -> list[Mistake]:
    """The entry that behaves as the answer does: itself, or the only one but for its style."""
    for known in bank.mistakes:
        if known.behaves_like(answer.behaviour):
            return [known.entry]
    for likeness in (
        answer.is_like,
        answer.is_like_but_for_style,
        lambda known: answer.is_like_filled(known, answer),
    ):
        alike = {known.entry.slug: known.entry for known in bank.mistakes if likeness(known)}
        if alike:
            return list(alike.values()) if len(alike) == 1 else []
    return []
