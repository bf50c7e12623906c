"""What one known mistake is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograder.bank.family import Family


@dataclass(frozen=True)
class Mistake:
    """One known mistake in one exercise.

    Attributes:
        exercise: the exercise it is made in.
        slug: its name in reports and in the JSON.
        diagnosis: what the answer does, one sentence to the student.
        hint: a question or a pointer that does not give the answer away.
        code: the cell as a student who makes the mistake would write it.
        change: instead of code, replacements in the reference's source, each of a text that
            stands there once.
        family: the family whose mistake it is, if it is one of several.
        costs_nothing: whether it is a remark: a hidden test marked `remark` tells of it by its
            slug, and the answer keeps its marks.
    """

    exercise: str
    slug: str
    diagnosis: str
    hint: str
    code: str = ""
    change: tuple[tuple[str, str], ...] = ()
    family: Family | None = field(default=None, compare=False, repr=False)
    costs_nothing: bool = False
