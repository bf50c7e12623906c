"""What a student is told of a wrong answer: its mistake by name, or a symptom."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from autograder.bank import Mistake
from autograder.checks.kit.errors import StudentDied
from autograder.course.aspects import ERRORS
from autograder.judging.behaviour import is_random
from autograder.judging.costs import by_weight, dearest_first, left_over
from autograder.judging.diagnosis import describe, diagnose
from autograder.judging.parts import right_answer
from autograder.judging.plugin import Found, Graders
from autograder.judging.symptoms import NOT_WRITTEN, sentence

NOT_STARTED = (
    "This one is not written yet: its cell still raises NotImplementedError. Write your answer in "
    "that cell, in place of the line that raises."
)

RANDOM = "Your code gives another result each time, for the same input: something in it is random."
RANDOM_MODULE = (
    "Made anew with the same given weights, your module gives another result for the same input: "
    "something in it is random, such as dropout, or a layer that nobody gave weights."
)


@dataclass(frozen=True)
class Explained:
    """What is known of a wrong answer.

    Attributes:
        told: in words, for the student: the mistakes, the dearest first, each once; then the
            dearest claim that none of them fails.
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
        return Explained(_without_name(failed))
    mistakes = dearest_first(mistakes, failed, graders)
    said = dict.fromkeys(mistake.diagnosis for mistake in mistakes)
    more = left_over(mistakes, failed, graders)
    return Explained(" ".join([*said, *([_beside(more)] if more else [])]), tuple(mistakes))


def _without_name(failed: list[Found]) -> str:
    """The first symptom and what it leaves open; then one that costs more than the first."""
    seen = [one for one in failed if one.symptom]
    lines = {one.symptom: one.line for one in seen[::-1] if one.line}
    told = describe([_with_line(str(one.symptom), lines.get(one.symptom)) for one in seen])
    costs: dict[str | None, float] = {}
    for one in seen:
        costs[one.symptom] = costs.get(one.symptom, 0.0) + one.weight
    dearest = max(by_weight(seen), key=lambda one: costs[one.symptom], default=None)
    if dearest is None or costs[dearest.symptom] <= costs[seen[0].symptom]:
        return told
    return told if str(dearest.symptom) in told else f"{told} {_beside(dearest)}"


def _beside(one: Found) -> str:
    """What a claim says that fails beside what was told, and what was seen there."""
    seen = f" {sentence(_with_line(one.symptom, one.line))}" if one.symptom else ""
    return f'This fails too: "{one.claim}"{seen}'


def _with_line(symptom: str, line: int | None) -> str:
    return symptom if line is None else f"{symptom}, in line {line} of your cell"
