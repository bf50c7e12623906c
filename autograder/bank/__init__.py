"""A course's known answers, as data: what students get wrong, and right answers in many styles.

Mistakes of one kind that are made in several exercises are a `Family`, whose words are said once.

They stand under the course's `graders/`, each folder's in its `mistakes.py` and `variants.py`.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from autograder.bank.family import Family
from autograder.bank.mistake import Mistake
from autograder.bank.variant import Variant
from autograder.course.errors import CourseError
from autograder.course.own_code import import_file, served

__all__ = ["Family", "Mistake", "Variant", "all_mistakes", "all_variants", "mistakes", "variants"]


def mistakes(exercise: str) -> tuple[Mistake, ...]:
    """The known mistakes in an exercise, most common first."""
    return tuple(entry for entry in all_mistakes() if entry.exercise == exercise)


def variants(exercise: str) -> tuple[Variant, ...]:
    """The right answers to an exercise."""
    return tuple(entry for entry in all_variants() if entry.exercise == exercise)


@cache
def all_mistakes() -> tuple[Mistake, ...]:
    """Every known mistake, folder after folder."""
    return _all("mistakes", "MISTAKES")


@cache
def all_variants() -> tuple[Variant, ...]:
    """Every right answer, folder after folder."""
    return _all("variants", "VARIANTS")


def _all(file: str, constant: str) -> tuple[Any, ...]:
    found = sorted((served() / "graders").glob(f"*/*/{file}.py"))
    return tuple(entry for path in found for entry in _held(path, constant))


def _held(path: Path, constant: str) -> Iterable[Any]:
    module = import_file(path)
    if not hasattr(module, constant):
        raise CourseError(f"{path} has no {constant}, which lists the {path.stem} there.")
    held: Iterable[Any] = getattr(module, constant)
    return held
