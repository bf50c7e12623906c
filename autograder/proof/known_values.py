"""Answers to a quiz question whose marks are known: every known mistake, and other right forms."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from autograder.course.questions import Choice, Choices, Number, Question, Shape

Kind = Literal["reference", "stub", "mistake", "remark", "variant", "mutant"]


def known_values(question: Question, sizes: Mapping[str, int]) -> Iterator[tuple[Kind, str, Any]]:
    """What could be answered, beside the key: (kind, name, value).

    Args:
        question: the question.
        sizes: those of the one who answers.
    """
    match question.answer:
        case Choice() as answer:
            for letter, option in answer.options.items():
                if letter in answer.accept and letter != answer.key:
                    yield "variant", f"{letter}, accepted", letter
                elif option.misconception is not None:
                    yield "mistake", option.misconception, letter
        case Choices() as answer:
            yield from _decisions(answer)
        case Number() as answer:
            key = answer.key.number(sizes)
            allowed = answer.tolerance * (abs(key) if answer.relative else 1)
            if allowed:
                yield "variant", "a little more", key + 0.9 * allowed
                yield "variant", "a little less", key - 0.9 * allowed
            accepted = [one.number(sizes) for one in answer.accept]
            for number in accepted:
                yield "variant", f"{number!r}, accepted", number
            for wrong in answer.wrong:
                value = wrong.value.number(sizes)
                if not any(answer.accepts(value, number) for number in accepted):
                    yield "mistake", wrong.misconception, value
        case Shape() as answer:
            yield "variant", "a list", list(answer.key.shape(sizes))
            shapes = [one.shape(sizes) for one in answer.accept]
            for shape in shapes:
                yield "variant", f"{shape}, accepted", shape
            for wrong in answer.wrong:
                if wrong.value.shape(sizes) not in shapes:
                    yield "mistake", wrong.misconception, wrong.value.shape(sizes)


def _decisions(answer: Choices) -> Iterator[tuple[Kind, str, Any]]:
    """The key in another order, and each option chosen or left out against it."""
    if len(answer.key) > 1:
        yield "variant", "another order", list(reversed(answer.key))
    for ticked in answer.accept:
        yield "variant", f"{', '.join(ticked)}, accepted", list(ticked)
    for letter, option in answer.options.items():
        letters = sorted(set(answer.key) ^ {letter})
        if letters and tuple(letters) not in answer.accept:
            yield "mistake", str(option.misconception), letters
