"""Why a stranger's wrong answer has no name: what is wrong in it, and which mistakes come near.

`python -m benchmarks.strangers.why [EXERCISE ...]` lists, for every such answer, by aspect, the
observations that are wrong, each with the slugs of the mistakes that do the same there; and the
mistakes that come nearest at plain values, with the observations at which they differ.
"""

import sys
import warnings
from collections.abc import Iterator

import torch

from autograder.judging.bank import Bank, Compared, KnownMistake, bank_of
from autograder.judging.behaviour import observe
from autograder.judging.diagnosis import named_from
from autograder.judging.plugin import Graders
from benchmarks.naming import start
from benchmarks.strangers.__main__ import Verdict, student_of, verdicts

NEAREST = 3


def main() -> None:
    """Print what is known of each wrong answer without a name."""
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")

    def serve(graders: Graders) -> None:
        for verdict in verdicts():
            chosen = not sys.argv[1:] or verdict.exercise in sys.argv[1:]
            if chosen and not verdict.right and verdict.exercise in graders.exercises:
                print("\n".join(lines(verdict)), flush=True)

    start(serve)


def lines(verdict: Verdict) -> Iterator[str]:
    """What to know of an answer; nothing of one that has a name."""
    bank = bank_of(verdict.exercise)
    try:
        behaviour = observe(verdict.exercise, student_of(verdict))
    except Exception as error:
        yield f"\n{verdict.exercise} {verdict.file.name}: not observed, {type(error).__name__}"
        return
    answer = Compared(behaviour, bank)
    if answer.is_right or named_from(bank, behaviour):
        return
    yield f"\n{verdict.exercise} {verdict.file.name}: {'; '.join(verdict.ideas + verdict.slips)}"
    for name in answer.behaviour:
        if answer.errs(name):
            same = {
                one.entry.slug
                for one in bank.mistakes
                if one.errs(name) and answer.does_as(one, name)
            }
            seen = (
                str(answer.behaviour[name])[:60] if isinstance(answer.behaviour[name], str) else ""
            )
            slugs = ", ".join(sorted(same)[:8])
            yield f"  {bank.aspect_of(name):9} {name:32} {seen} [{slugs}]"
    yield from nearest(answer, bank)


def nearest(answer: Compared, bank: Bank) -> Iterator[str]:
    """The mistakes that agree with an answer at most observations of values."""
    names = [name for name in answer.behaviour if bank.aspect_of(name) == "values"]

    def differing(known: KnownMistake) -> list[str]:
        return [name for name in names if not answer.does_as(known, name)]

    if any(answer.errs(name) for name in names):
        for known in sorted(bank.mistakes, key=lambda one: len(differing(one)))[:NEAREST]:
            yield f"  near: {known.entry.slug}, but for {', '.join(differing(known))}"


if __name__ == "__main__":
    main()
