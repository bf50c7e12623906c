"""What an answer to a quiz question shows: right, a known misunderstanding, or neither."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograder.checks.kit.answer_forms import letter_of, letters_of, number_of, shape_of
from autograder.course.questions import Choice, Choices, Number, Question, Shape, WrongValue


@dataclass(frozen=True)
class Mark:
    """What marking one answer found.

    Attributes:
        right: whether it earns the points.
        answered: the answer in words, bounded; None where it is of no form that can be marked.
        why: what a wrong answer shows or misses, or which form is wanted; None where it is right.
        misconception: the slug of the misunderstanding that it shows, or None.
        accepted: whether it is right as one that is accepted beside the key.
    """

    right: bool
    answered: str | None
    why: str | None = None
    misconception: str | None = None
    accepted: bool = False


def mark(question: Question, answer: Any, sizes: Mapping[str, int]) -> Mark:
    """Mark an answer, whatever it is.

    Args:
        question: the question.
        answer: what the student's variable holds, as the sandbox sent it: of plain types alone.
        sizes: the sizes that this student was asked about; empty where all are asked the same.
    """
    match question.answer:
        case Choice() as kind:
            return _choice(kind, answer)
        case Choices() as kind:
            return _choices(kind, answer)
        case Number() as kind:
            return _number(kind, answer, sizes)
        case kind:
            return _shape(kind, answer, sizes)


def _choice(kind: Choice, answer: Any) -> Mark:
    letter = letter_of(answer, kind.options)
    if letter is None:
        return Mark(False, None, f"The answer should be one of {_listed(kind.options)}.")
    if letter == kind.key or letter in kind.accept:
        return Mark(True, letter, accepted=letter != kind.key)
    option = kind.options[letter]
    return Mark(False, letter, option.why, option.misconception)


def _choices(kind: Choices, answer: Any) -> Mark:
    letters = letters_of(answer, kind.options)
    if letters is None:
        wanted = f"a list of letters among {_listed(kind.options)}, each at most once"
        return Mark(False, None, f'The answer should be {wanted}: `["A", "B"]`, for instance.')
    answered = ", ".join(letters)
    if letters in kind.accept and letters != kind.key:
        return Mark(True, answered, accepted=True)
    for letter, option in kind.options.items():
        if (letter in letters) != (letter in kind.key):
            did = "chose" if letter in letters else "left out"
            why = f"{letter}, which you {did}: {option.why}"
            return Mark(False, answered, why, option.misconception)
    return Mark(True, answered)


def _number(kind: Number, answer: Any, sizes: Mapping[str, int]) -> Mark:
    number = number_of(answer)
    if number is None:
        return Mark(False, None, "The answer should be a number, such as `0.5`, without quotes.")
    answered = _in_words(number, kind.unit)
    if kind.accepts(number, kind.key.number(sizes)):
        return Mark(True, answered)
    if any(kind.accepts(number, one.number(sizes)) for one in kind.accept):
        return Mark(True, answered, accepted=True)
    for wrong in kind.wrong:
        if kind.accepts(number, wrong.value.number(sizes)):
            return _shown(answered, wrong)
    return Mark(False, answered, kind.why)


def _shape(kind: Shape, answer: Any, sizes: Mapping[str, int]) -> Mark:
    shape = shape_of(answer)
    if shape is None:
        return Mark(
            False, None, "The answer should be a tuple of whole numbers above 0, as in `(2, 3)`."
        )
    answered = _bounded(str(shape))
    if shape == kind.key.shape(sizes):
        return Mark(True, answered)
    if any(shape == one.shape(sizes) for one in kind.accept):
        return Mark(True, answered, accepted=True)
    for wrong in kind.wrong:
        if shape == wrong.value.shape(sizes):
            return _shown(answered, wrong)
    return Mark(False, answered, kind.why)


def _shown(answered: str, wrong: WrongValue) -> Mark:
    return Mark(False, answered, wrong.why, wrong.misconception)


def _listed(letters: Mapping[str, object]) -> str:
    return ", ".join(f'"{letter}"' for letter in letters)


def _in_words(number: int | float, unit: str | None) -> str:
    # Python refuses to write integers of thousands of digits, and nobody would read them.
    written = repr(number) if abs(number) < 10**15 else f"{float(number):.6g}"
    return written if unit is None else f"{written} {unit}"


def _bounded(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"
