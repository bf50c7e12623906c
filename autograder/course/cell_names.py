"""The names that a cell of a notebook binds, and those that it may read."""

import ast
import re
import symtable
import warnings
from collections.abc import Iterator
from functools import lru_cache
from threading import Lock

_quiet = Lock()  # what warnings do is the process's, not the thread's
WORD = re.compile(r"\w+")
# With one of these a cell may read a name that its code does not show.
BY_TEXT = frozenset(
    """
    In Out __builtins__ __dict__ __globals__ __import__ __main__ ctypes dir eval exec f_globals gc
    get_ipython globals importlib inspect locals sys user_ns vars
    """.split()  # noqa: SIM905 - a list of them would take 20 lines
)
MOST_CODE = 200_000  # characters: reading code takes 600 times its size in memory
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


@lru_cache(maxsize=512)  # most cells of a class are as they were released
def names_read(source: str) -> frozenset[str]:
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
    except UNREADABLE:
        return words
    return frozenset(_globals(table))


def names_bound(source: str) -> frozenset[str]:
    """The names that a cell may bind; every word of it where it is not plain Python."""
    try:
        with _quiet, warnings.catch_warnings(action="ignore"):
            tree = ast.parse(source)
    except UNREADABLE:
        return frozenset(WORD.findall(source))
    return frozenset(_bound(tree))


def _globals(table: symtable.SymbolTable) -> Iterator[str]:
    """Names of the module in its code; those that it binds too, as `+=` and `del` read them."""
    whole = table.get_type() in ("module", "class")  # a class may bind what it has read
    for symbol in table.get_symbols():
        if whole or symbol.is_global():
            yield symbol.get_name()
    for child in table.get_children():
        yield from _globals(child)


def _bound(tree: ast.Module) -> set[str]:
    """Names that the module's statements bind, functions' own names left out."""
    found: set[str] = set()
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        match node:
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                found.add(name)
                continue
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.alias(name=name, asname=other):
                found.add(other or name.split(".")[0])
        waiting += ast.iter_child_nodes(node)
    return found
