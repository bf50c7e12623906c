"""What a student is told of a wrong answer: its mistake by name, or a symptom."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.bank import Mistake
from autograder.checks.kit.errors import StudentDied
from autograder.course.aspects import ERRORS
from autograder.judging.behaviour import is_random
from autograder.judging.costs import by_weight, dearest_first, left_over
from autograder.judging.diagnosis import describe, diagnose, is_vague, telling
from autograder.judging.parts import right_answer
from autograder.judging.plugin import Found, Graders
from autograder.judging.symptoms import NOT_WRITTEN, sentence
from autograder.judging.trying import where_it_runs

NOT_STARTED = (
    "This one is not written yet: its cell still raises NotImplementedError. Write your answer in "
    "that cell, in place of the line that raises."
)

MOST_CLAIMS = 3
"""Claims that are told one by one; how many more fail is counted."""

RANDOM = "Your code gives another result each time, for the same input: something in it is random."
RANDOM_MODULE = (
    "Made anew with the same given weights, your module gives another result for the same input: "
    "something in it is random, such as dropout, or a layer that nobody gave weights."
)


@dataclass(frozen=True)
class Explained:
    """What is known of a wrong answer.

    Attributes:
        told: in words, for the student: the mistakes, the dearest first, each once, or what was
            seen; then the claims that this does not explain, the dearest first.
        mistakes: the known mistakes that it makes; none where no name is sure.
    """

    told: str
    mistakes: tuple[Mistake, ...] = ()

    @property
    def hint(self) -> str | None:
        """What to think about, in the mistakes' order; None where there is none."""
        return " ".join(dict.fromkeys(mistake.hint for mistake in self.mistakes)) or None

    @property
    def slugs(self) -> tuple[str, ...]:
        """The names of the mistakes."""
        return tuple(mistake.slug for mistake in self.mistakes)


def explain(exercise: str, found: Iterable[Found], student: Any, graders: Graders) -> Explained:
    """Explain a wrong answer; what ends its process here is told as its failed tests saw it.

    Args:
        exercise: the exercise's name.
        found: what its hidden tests found; not all of them passed.
        student: the student's code.
        graders: the hidden tests, to run on known mistakes.
    """
    ran = [one for one in found if one.outcome != "pending"]
    failed = [one for one in ran if one.outcome == "failed"]
    failed.sort(key=lambda one: one.aspect == ERRORS)  # what is refused is no answer's mistake
    symptoms = [one.symptom for one in failed if one.symptom]
    claimed = [one.misconception for one in failed if one.misconception]
    try:
        if len(failed) == len(ran) and symptoms[:1] == [NOT_WRITTEN]:
            return Explained(NOT_STARTED)
        mistakes = diagnose(exercise, student, claimed)
        if not mistakes and is_random(exercise, student):
            is_class = isinstance(right_answer(exercise), type)
            return Explained(RANDOM_MODULE if is_class else RANDOM)
    except StudentDied:
        mistakes = []
    if not mistakes:
        return Explained(_without_name(exercise, failed, everything=len(failed) == len(ran)))
    mistakes = dearest_first(mistakes, failed, graders)
    said = dict.fromkeys(mistake.diagnosis for mistake in mistakes)
    more = _claims(exercise, left_over(mistakes, failed, graders), " too", set())
    return Explained(" ".join([*said, *more]), tuple(mistakes))


def _without_name(exercise: str, failed: list[Found], everything: bool) -> str:
    """What was seen first, and what that leaves open; then the claims that it does not explain.

    Args:
        exercise: the exercise's name.
        failed: the hidden tests that failed, in their order.
        everything: whether those are all.
    """
    seen = {str(one.symptom): one for one in failed[::-1] if one.symptom}  # the first of each
    told = telling([one.symptom for one in failed if one.symptom])
    if not told:
        return " ".join([describe(told), *_claims(exercise, by_weight(failed), "", set())])
    plain = [one for one in told if not is_vague(one)]
    explained = [one for one in by_weight(failed) if one.symptom in plain]
    # Where nothing is kept, no claim of those that fail alike tells where to look.
    named = [] if everything else explained[:1]
    left = [one for one in by_weight(failed) if one not in explained or one in named]
    said = [_sentence(exercise, seen[symptom]) for symptom in told]
    return " ".join([*said, *_claims(exercise, left, "", set(told))])


def _claims(exercise: str, failed: Sequence[Found], too: str, told: set[str]) -> Iterator[str]:
    """The sentences of claims that fail, and what was seen there; of many the first, and a count.

    Args:
        exercise: the exercise's name.
        failed: the hidden tests, the dearest first.
        too: what stands before the colon where something else was told before.
        told: symptoms that were told before.
    """
    claims = {one.claim: one for one in failed[::-1]}
    distinct = [one for one in failed if claims[one.claim] is one]
    if distinct:
        yield f"{'This fails' if len(distinct) == 1 else 'These fail'}{too}:"
    for one in distinct[:MOST_CLAIMS]:
        yield f'"{one.claim}"'
        if one.symptom and one.symptom not in told:
            told.add(one.symptom)
            yield _sentence(exercise, one)
    if len(distinct) > MOST_CLAIMS:
        yield f"And {len(distinct) - MOST_CLAIMS} more."


def _sentence(exercise: str, one: Found) -> str:
    """What was seen; of an error also for what the code runs, where that is found out."""
    symptom, stopped = str(one.symptom), one.stopped
    place = "" if one.line is None else f", in line {one.line} of your cell"
    if stopped is not None and stopped.asked is not None:
        runs = where_it_runs(exercise, stopped.asked, stopped.error)
        if runs:
            return f"{sentence(stopped.bare + place)} {runs}"
    return sentence(symptom + place)
