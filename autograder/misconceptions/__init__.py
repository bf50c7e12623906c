"""Known mistakes, as data: what students get wrong about attention, each with code that does."""

import importlib
import pkgutil
from functools import cache

from autograder.misconceptions.mistake import Mistake

__all__ = ["Mistake", "all_mistakes", "mistakes"]


def mistakes(exercise: str) -> tuple[Mistake, ...]:
    """The known mistakes in an exercise, most common first."""
    return tuple(entry for entry in all_mistakes() if entry.exercise == exercise)


@cache
def all_mistakes() -> tuple[Mistake, ...]:
    """Every known mistake, assignment after assignment."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    banks = (importlib.import_module(f"{__name__}.{name}") for name in names if name != "mistake")
    return tuple(entry for bank in banks for entry in bank.MISTAKES)
