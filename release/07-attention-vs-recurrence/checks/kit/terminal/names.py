"""Which names the cells of a notebook read and bind, and so which cells an exercise rests on."""

import ast
import re
import symtable
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..magics import RUNS_CODE, as_python

_BINDS = re.compile(r"^(?:(?:async\s+)?(?:def|class)\s+(\w+)|(\w+)\s*=[^=])", re.MULTILINE)
# What these read and bind, only running them tells.
_OPAQUE = {"exec", "eval", "globals", "locals", "setattr", "delattr"}


@dataclass(frozen=True)
class CodeCell:
    """A code cell of a notebook.

    Attributes:
        number: which cell it is, counting text and code from 1.
        source: its text.
    """

    number: int
    source: str

    @property
    def names(self) -> "Names":
        """The names that it reads and binds."""
        return names_in(self.source)


@dataclass(frozen=True)
class Names:
    """The names of a cell that other cells know, too.

    Attributes:
        reads: what it, or a function that it defines, may look up, and does not import itself.
        binds: what it binds, deletes or changes in place.
        imports: which of these are modules, or come from one.
        modules: the modules that it imports.
        calls: methods that it calls for their effect alone, with the name whose method it is.
        checks: the exercises that it calls `check` for.
        is_opaque: whether it may read and bind names that its text does not show.
    """

    reads: frozenset[str] = frozenset()
    binds: frozenset[str] = frozenset()
    imports: frozenset[str] = frozenset()
    modules: tuple[str, ...] = ()
    calls: frozenset[tuple[str, str]] = frozenset()
    checks: tuple[str, ...] = ()
    is_opaque: bool = False


def code_cells(cells: Iterable[dict[str, Any]]) -> tuple[CodeCell, ...]:
    """The code cells among a notebook's cells."""
    numbered = enumerate(cells, 1)
    return tuple(CodeCell(n, cell["source"]) for n, cell in numbered if cell["cell_type"] == "code")


def cells_for(
    cells: Sequence[CodeCell], exercise: str, also: Iterable[str] = ()
) -> tuple[CodeCell, ...]:
    """The cells that an exercise rests on, in the notebook's order, and the one that checks it.

    That is every cell above the check that binds a name which the exercise reads, or which such a
    cell reads in turn. Where no cell checks it, the notebook's end counts as the check.

    Args:
        cells: the notebook's code cells.
        exercise: the exercise's name.
        also: other names that its checks ask for.
    """
    checking = [place for place, cell in enumerate(cells) if exercise in cell.names.checks]
    end = checking[-1] + 1 if checking else len(cells)
    opaque = [place for place in range(end) if cells[place].names.is_opaque]
    modules = {name for cell in cells for name in cell.names.imports}
    needed = {*range(opaque[-1] + 1 if opaque else 0), *checking[-1:]}
    found, wanted = set(needed), {exercise, *also}
    while True:
        wanted = wanted.union(*(cells[place].names.reads for place in found))
        unread = set(range(end)) - needed
        found = {place for place in unread if _changed(cells[place], modules) & wanted}
        if not found:
            return tuple(cells[place] for place in sorted(needed))
        needed |= found


def _changed(cell: CodeCell, modules: set[str]) -> frozenset[str]:
    """What is another after a cell: of modules, only settings are looked at, not every call."""
    calls = cell.names.calls
    return cell.names.binds | {
        name for name, method in calls if name not in modules or method.startswith("set_")
    }


@lru_cache(maxsize=1024)
def names_in(source: str) -> Names:
    """The names that a cell reads and binds; of a text that is no Python, what it seems to bind."""
    reading = _Reading()
    try:
        reading.add(as_python(source))
    except (SyntaxError, ValueError, RecursionError):
        reading.binds.update(a or b for a, b in _BINDS.findall(source))
    return Names(
        frozenset(reading.reads - reading.imports),
        frozenset(reading.binds),
        frozenset(reading.imports),
        tuple(reading.modules),
        frozenset(reading.calls),
        tuple(reading.checks),
        reading.is_opaque,
    )


class _Reading:
    """Collects what `Names` holds."""

    def __init__(self) -> None:
        self.reads: set[str] = set()
        self.binds: set[str] = set()
        self.imports: set[str] = set()
        self.modules: list[str] = []
        self.calls: set[tuple[str, str]] = set()
        self.checks: list[str] = []
        self.is_opaque = False

    def add(self, text: str) -> None:
        """Read a cell's Python, or the code that a magic of it times."""
        tree = ast.parse(text)
        self._tables(symtable.symtable(text, "<cell>", "exec"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                self._call(node)
            elif isinstance(node, ast.Name) and node.id in _OPAQUE:
                self.is_opaque = True
        for node in _at_once(tree):
            self._at_once(node)

    def _tables(self, table: symtable.SymbolTable, is_top: bool = True) -> None:
        for symbol in table.get_symbols():
            if is_top or symbol.is_global():
                if symbol.is_referenced():
                    self.reads.add(symbol.get_name())
                if symbol.is_assigned() or symbol.is_imported():
                    self.binds.add(symbol.get_name())
        for child in table.get_children():
            self._tables(child, False)

    def _call(self, node: ast.Call) -> None:
        words = [one.value for one in node.args if isinstance(one, ast.Constant)]
        texts = [word for word in words if isinstance(word, str)]
        match node.func:
            case ast.Name("check") if texts:
                self.checks.append(texts[0])
            case ast.Attribute(_, "run_line_magic" | "run_cell_magic") if texts:
                if texts[0] in RUNS_CODE:
                    self.add(as_python(texts[-1]))

    def _at_once(self, node: ast.AST) -> None:
        match node:
            case ast.Import(names):
                self.modules += [one.name for one in names]
                self.imports.update(one.asname or one.name.partition(".")[0] for one in names)
            case ast.ImportFrom(module, names, 0) if module:
                self.modules.append(module)
                self.imports.update(one.asname or one.name for one in names)
                self.is_opaque |= any(one.name == "*" for one in names)
            case ast.Expr(ast.Call(ast.Attribute(owner, method))):
                self.calls.update((name, method) for name in _root(owner))
            case ast.AugAssign(ast.Name(name)):
                self.reads.add(name)
            case ast.Attribute(owner, _, ctx) | ast.Subscript(owner, _, ctx):
                if not isinstance(ctx, ast.Load):
                    self.binds |= _root(owner)
                    self.reads |= _root(owner)


def _at_once(tree: ast.AST) -> Iterator[ast.AST]:
    """What runs when the cell does, and not later in a function."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield node
            yield from _at_once(node)


def _root(node: ast.expr) -> set[str]:
    """The name that an expression such as `x.y[0].z` begins with, where it begins with one."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return {node.id} if isinstance(node, ast.Name) else set()
