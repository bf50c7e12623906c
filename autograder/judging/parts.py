"""Parts: the earlier exercises that an answer may call, and that may be right in place of its own.

One mistake costs once: a later answer that fails is judged once more where the earlier ones of its
notebook are right. Their names are bound to stand-ins then, which ask the trusted side.
"""

import inspect
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from autograder.checks.kit.cell_names import is_long, names_of, rest_on
from autograder.judging.answers import solution_module
from autograder.judging.library import library
from autograder.judging.registry import handed_over, stays_own
from autograder.student.session import Cell


def parts_of(exercise: str, earlier: Iterable[str]) -> dict[str, str]:
    """The parts of an exercise: of each, what kind of stand-in it gets.

    Args:
        exercise: the exercise's name; its grader has been imported.
        earlier: the code exercises that stand before it in its notebook.
    """
    return {name: kind_of(name) for name in earlier if not stays_own(exercise, name)}


@cache
def kind_of(part: str) -> str:
    """The kind of stand-in that an exercise gets; see `sandbox.inside.serve`."""
    found = right_answer(part)
    if library().makes_modules(found):
        return "module"
    given_back = inspect.signature(found).return_annotation
    is_drawn = getattr(given_back, "__module__", "").startswith("matplotlib.")
    return "picture" if is_drawn else "function"


def right_answer(exercise: str) -> Any:
    """The reference: a function or a class."""
    return getattr(solution_module(exercise), exercise)


def named_by(cells: Sequence[Cell], exercise: str, parts: Collection[str]) -> set[str]:
    """The parts that an exercise's cell, or what it uses of others, names; or that tests hand it.

    Args:
        cells: the notebook's code cells, in order.
        exercise: whose cell.
        parts: the names to look for.
    """
    sources = [cell.source for cell in cells]
    if is_long(sources):  # one that stands in another's cell may be meant
        named = {
            part
            for part in parts
            if any(part in cell.source for cell in cells if cell.exercise != part)
        }
        return named | (handed_over(exercise) & set(parts))
    # A part's own name is a stand-in's; what else its cell binds is the student's.
    names = [
        replace(one, binds=one.binds - {cell.exercise})
        for cell, one in zip(cells, names_of(sources), strict=True)
    ]
    own = [
        place
        for place, (cell, one) in enumerate(zip(cells, names, strict=True))
        if cell.exercise == exercise or one.is_opaque
    ]
    used = [names[place] for place in rest_on(names, len(cells), {exercise}, own)]
    named = handed_over(exercise).union(*(one.known for one in used))
    return named & set(parts)
