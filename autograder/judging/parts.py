"""Parts: the earlier exercises that an answer may call, and that may be right in place of its own.

One mistake costs once: a later answer that fails is judged once more where the earlier ones of its
notebook are right. Their names are bound to stand-ins then, which ask the trusted side.
"""

import inspect
import symtable
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Any

from matplotlib.axes import Axes
from torch import nn

from autograder.judging.answers import solution_module
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
    """The kind of stand-in that an exercise gets; see `sandbox.inside.stand_ins`."""
    found = right_answer(part)
    if isinstance(found, type) and issubclass(found, nn.Module):
        return "module"
    given_back = inspect.signature(found).return_annotation
    return "picture" if given_back is Axes else "function"


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
    used: set[str] = set()
    sources = {cell.id: _Names(cell.source) for cell in cells}
    left = [cell.id for cell in cells if cell.exercise == exercise]
    seen = set(left)
    while left:
        used |= sources[left.pop()].used
        for cell in cells:
            # A part's own definition is what a stand-in takes the place of; not what is beside it.
            if cell.id not in seen and (sources[cell.id].bound - {cell.exercise}) & used:
                seen.add(cell.id)
                left.append(cell.id)
    return (used | handed_over(exercise)) & set(parts)


class _Names:
    """The names that a cell binds, and those that it takes from elsewhere.

    Attributes:
        bound: names of its functions, classes, variables and imports.
        used: those that stand for something outside of its functions.
    """

    def __init__(self, source: str) -> None:
        self.bound: set[str] = set()
        self.used: set[str] = set()
        lines = (line for line in source.splitlines() if not line.lstrip().startswith(("%", "!")))
        try:
            table = symtable.symtable("\n".join(lines), "cell", "exec")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return  # it binds nothing
        self.bound = {one.get_name() for one in table.get_symbols() if not _only_used(one)}
        self.used = {one.get_name() for one in table.get_symbols() if one.is_referenced()}
        self._look_into(table)

    def _look_into(self, table: symtable.SymbolTable) -> None:
        for inner in table.get_children():
            self.used |= {one.get_name() for one in inner.get_symbols() if one.is_global()}
            self._look_into(inner)


def _only_used(symbol: symtable.Symbol) -> bool:
    return not (symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace())
