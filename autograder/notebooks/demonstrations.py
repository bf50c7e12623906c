"""Which of a student's cells grading can leave out: demonstrations that nothing else reads."""

import re
import symtable
import warnings
from collections.abc import Iterator, Sequence
from functools import lru_cache
from threading import Lock

from autograder.course.demonstrations import Demonstration

Cell = tuple[str | None, str]
MOST_CODE = 200_000  # characters: reading code takes 600 times its size in memory
_quiet = Lock()  # what warnings do is the process's, not the thread's
WORD = re.compile(r"\w+")
# With one of these a cell may read a name that its code does not show.
BY_TEXT = frozenset(
    """
    In Out __builtins__ __dict__ __globals__ __import__ __main__ ctypes dir eval exec f_globals gc
    get_ipython globals importlib inspect locals sys user_ns vars
    """.split()  # noqa: SIM905 - a list of them would take 20 lines
)


def without_demonstrations(
    cells: Sequence[Cell], demonstrations: Sequence[Demonstration]
) -> tuple[Cell, ...]:
    """The cells without the demonstrations that stand there as released and are not needed.

    One is needed when a cell that runs reads a name that it binds: a student may use what a
    demonstration has made. Parameters and other names of a function's own are no such reading.

    Args:
        cells: (the exercise a cell belongs to or None, its source), in order.
        demonstrations: those of the released notebook.
    """
    by_source = {one.source: one for one in demonstrations}
    left_out = {
        place: by_source[source.strip()]
        for place, (exercise, source) in enumerate(cells)
        if exercise is None and source.strip() in by_source
    }
    if not left_out:
        return tuple(cells)
    running = [source for place, (_, source) in enumerate(cells) if place not in left_out]
    if sum(map(len, running)) > MOST_CODE:
        return tuple(cells)
    read = set().union(*map(_read, running))
    while needed := [place for place, one in left_out.items() if one.binds & read]:
        for place in needed:
            read |= _read(left_out.pop(place).source)
    return tuple(cell for place, cell in enumerate(cells) if place not in left_out)


@lru_cache(maxsize=512)  # most cells of a class are as they were released
def _read(source: str) -> frozenset[str]:
    """The notebook's names that a cell may read.

    Every word of it, comments and all, where it is not plain Python or could look a name up by its
    text.
    """
    words = frozenset(WORD.findall(source))
    if words & BY_TEXT:
        return words
    try:
        with _quiet, warnings.catch_warnings(action="ignore"):
            table = symtable.symtable(source, "cell", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return words
    return frozenset(_globals(table))


def _globals(table: symtable.SymbolTable) -> Iterator[str]:
    """Names of the module in its code; those that it binds too, as `+=` and `del` read them."""
    whole = table.get_type() in ("module", "class")  # a class may bind what it has read
    for symbol in table.get_symbols():
        if whole or symbol.is_global():
            yield symbol.get_name()
    for child in table.get_children():
        yield from _globals(child)
