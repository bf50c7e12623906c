"""What names a family of answers: answers to an exercise that are the same up to names and layout.

All answers to it that are no Python are one family, and so are all that hold no code.
"""

import hashlib
import json
from base64 import b32encode
from collections.abc import Iterable

from autograder.notebooks.demonstrations import Cell
from autograder.notebooks.normal_form import Imports, NoPython, imports_of, normal_form

LENGTH = 8
NO_PYTHON, EMPTY = "no Python", "[]"


def form_of(exercise: str, source: str, imports: Imports) -> str:
    """The form of an answer, where it has one: `NO_PYTHON` or `EMPTY` where it has none.

    Args:
        exercise: what it answers.
        source: its cell.
        imports: what `imports_around` finds in its notebook.
    """
    try:
        return normal_form(source, exercise, imports)
    except NoPython:
        return NO_PYTHON


def family_id(exercise: str, form: str) -> str:
    """Eight letters and digits, the same on every machine, for answers of a form."""
    hashed = hashlib.sha256(json.dumps([exercise, form]).encode()).digest()
    return b32encode(hashed).decode().lower()[:LENGTH]


def imports_around(cells: Iterable[Cell]) -> Imports:
    """What the names mean that a notebook imports outside the exercises' cells."""
    found: dict[str, str] = {}
    for exercise, source in cells:
        if exercise is None:
            found |= dict(imports_of(source))
    return tuple(sorted(found.items()))
