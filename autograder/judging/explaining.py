"""What a student is told of a wrong answer: its mistake by name, or a symptom."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from autograder.bank import Mistake
from autograder.checks.kit.errors import StudentDied
from autograder.course.aspects import ERRORS
from autograder.judging.behaviour import is_random
from autograder.judging.diagnosis import describe, diagnose
from autograder.judging.parts import right_answer
from autograder.judging.plugin import Found
from autograder.judging.symptoms import NOT_WRITTEN

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
        told: in words, for the student: the mistake, then the slips beside it, each once.
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


def explain(exercise: str, found: Iterable[Found], student: Any) -> Explained:
    """Explain a wrong answer; what ends its process here is told as its failed tests saw it.

    Args:
        exercise: the exercise's name.
        found: what its hidden tests found; not all of them passed.
        student: the student's code.
    """
    ran = [one for one in found if one.outcome != "pending"]
    failed = [one for one in ran if one.outcome == "failed"]
    failed.sort(key=lambda one: one.aspect == ERRORS)  # what is refused is no answer's mistake
    symptoms = [one.symptom for one in failed if one.symptom]
    lines = {one.symptom: one.line for one in failed[::-1] if one.symptom and one.line}
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
        return Explained(describe([_with_line(one, lines.get(one)) for one in symptoms]))
    said = dict.fromkeys(mistake.diagnosis for mistake in mistakes)
    return Explained(" ".join(said), tuple(mistakes))


def _with_line(symptom: str, line: int | None) -> str:
    return symptom if line is None else f"{symptom}, in line {line} of your cell"
