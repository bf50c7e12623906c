"""Predictions: questions on the way whose check says at once whether the answer is right, and why.

Their keys stand in `questions.json`, encoded so that nobody reads them in passing. They are no
secret: such a question carries no points, or points for answering at all. Whoever decodes a key
spoils a prediction of their own, and nothing else.
"""

import base64
import json
from typing import Any

from .answer_forms import letter_of, letters_of, number_of, shape_of
from .questions import AskedQuestion


def encoded(fields: dict[str, Any]) -> str:
    """What a prediction's check tells, as `questions.json` holds it."""
    return base64.b64encode(json.dumps(fields, ensure_ascii=False).encode()).decode("ascii")


def decoded(text: str) -> dict[str, Any]:
    """What was encoded."""
    fields: dict[str, Any] = json.loads(base64.b64decode(text))
    return fields


def told(question: AskedQuestion, answer: Any) -> tuple[bool, str]:
    """Whether a prediction is right, and why.

    Args:
        question: one that is told of.
        answer: of the form that the question asks for.
    """
    fields = decoded(question.told)
    match question.kind:
        case "choice":
            letter = str(letter_of(answer, question.letters))
            return letter == fields["key"], fields["why"][letter]
        case "choices":
            return _of_letters(fields, letters_of(answer, question.letters) or ())
        case "number":
            return _of_number(fields, number_of(answer) or 0)
        case _:
            return _of_shape(fields, list(shape_of(answer) or ()))


def _of_letters(fields: dict[str, Any], letters: tuple[str, ...]) -> tuple[bool, str]:
    for letter, why in fields["why"].items():
        if (letter in letters) != (letter in fields["key"]):
            did = "chose" if letter in letters else "left out"
            return False, f"{letter}, which you {did}: {why}"
    return True, " ".join(f"{letter}: {fields['why'][letter]}" for letter in fields["key"])


def _of_number(fields: dict[str, Any], number: int | float) -> tuple[bool, str]:
    if abs(number - fields["key"]) <= fields["within"]:
        return True, fields["why"]
    near = (one["why"] for one in fields["wrong"] if abs(number - one["value"]) <= one["within"])
    return False, next(near, fields["why"])


def _of_shape(fields: dict[str, Any], shape: list[int]) -> tuple[bool, str]:
    known = (one["why"] for one in fields["wrong"] if shape == one["value"])
    return shape == fields["key"], next(known, fields["why"])
