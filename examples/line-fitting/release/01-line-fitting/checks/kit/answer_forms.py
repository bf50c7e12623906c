"""What counts as an answer of each kind of question, for the visible check and the grader alike."""

import math
from collections.abc import Collection
from typing import Any

from .values import values

LARGEST = 2**1000  # a float can hold it, and it can be compared with one
MOST_AXES = 32
LONGEST_LETTER = 20  # characters, the space around it included


def letter_of(value: Any, letters: Collection[str]) -> str | None:
    """The letter that was chosen, or None where the value is none of the letters.

    `"a"` and `" A"` are A: a student has chosen it, and slipped on a key.
    """
    if type(value) is not str or len(value) > LONGEST_LETTER:
        return None
    plain = value.strip().upper()
    return plain if plain in letters else None


def letters_of(value: Any, letters: Collection[str]) -> tuple[str, ...] | None:
    """The letters that were chosen, in order and at least one; None for anything else.

    A letter may not be there twice: it would be a typo more often than not.
    """
    if type(value) not in (list, tuple) or not 0 < len(value) <= len(letters):
        return None
    chosen = [letter_of(item, letters) for item in value]
    found = sorted({letter for letter in chosen if letter is not None})
    return tuple(found) if len(found) == len(chosen) else None


def number_of(value: Any) -> int | float | None:
    """A finite real number, NumPy's and torch's included; None for text, booleans and the rest."""
    value = values().plain_number(value)
    if type(value) is int:
        return value if abs(value) <= LARGEST else None
    return value if type(value) is float and math.isfinite(value) else None


def shape_of(value: Any) -> tuple[int, ...] | None:
    """A shape: a tuple, list or torch.Size of whole numbers above 0; None for anything else."""
    if not values().is_shape(value) or len(value) > MOST_AXES:
        return None
    sizes = tuple(_size_of(item) for item in value)
    return None if None in sizes else sizes  # type: ignore[return-value]


def _size_of(value: Any) -> int | None:
    """A whole number above 0; `6.0` is none: a shape holds no floats."""
    number = number_of(value)
    return number if type(number) is int and number > 0 else None
