"""Which names the cells of a notebook read and change, and so which cells an exercise rests on.

It is read off their texts, without running them: for `python -m checks`, and for grading, where the
texts are strangers'.
"""

import ast
import hashlib
import re
import symtable
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Any

from .magics import RUNS_CODE, without_magics

MOST_CODE = 200_000
"""Characters of a notebook that are read as Python: that takes 600 times their size in memory."""
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What reading a text as Python raises where it is none, or too deep."""
GRADED = "test_"
"""What the id of an exercise's graded cell begins with; the rest is the exercise's name."""

_WORD = re.compile(r"\w+")
_BINDS = re.compile(r"^(?:(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)|(\w+)[ \t]*=[^=])", re.MULTILINE)
# What these read and bind, only running them tells.
_FORGETS = re.compile(r"^[ \t]*%(?:reset|reset_selective|xdel)\b", re.MULTILINE)
_OPAQUE = {"exec", "eval", "globals", "locals", "setattr", "delattr"}
# With one of these a cell may read a name that its code does not show.
_BY_TEXT = _OPAQUE.union(
    """
    In Out __builtins__ __dict__ __globals__ __import__ __main__ ctypes dir f_globals gc
    get_ipython importlib inspect sys user_ns vars
    """.split()  # noqa: SIM905 - a list of them would take 20 lines
)
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp
_quiet = Lock()  # what warnings do is the process's, not the thread's


@dataclass(frozen=True)
class Names:
    """The names of a cell that other cells know, too.

    Attributes:
        reads: what it, or a function that it defines, may look up, and does not import itself;
            every word of it where that cannot be told.
        binds: what it binds, deletes or changes in place.
        imports: which of these are modules, or come from one.
        defines: which of these are functions and classes that it defines.
        modules: the modules that it imports.
        calls: methods that it calls for their effect alone, with the name whose method it is.
        checks: the exercises that it calls `check` for.
        is_opaque: whether it may read and bind names that its text does not show.
    """

    reads: frozenset[str] = frozenset()
    binds: frozenset[str] = frozenset()
    imports: frozenset[str] = frozenset()
    defines: frozenset[str] = frozenset()
    modules: tuple[str, ...] = ()
    calls: frozenset[tuple[str, str]] = frozenset()
    checks: tuple[str, ...] = ()
    is_opaque: bool = False

    @property
    def known(self) -> frozenset[str]:
        """All names that it shares with other cells."""
        return self.reads | self.binds

    def changes(self, modules: Collection[str]) -> frozenset[str]:
        """What is another after the cell: of modules, only settings count, not every call."""
        called = {
            name for name, method in self.calls if name not in modules or method.startswith("set_")
        }
        return self.binds | called


@dataclass(frozen=True)
class CodeCell:
    """A code cell of a notebook.

    Attributes:
        number: which cell it is, counting text and code from 1.
        source: its text.
        id: nbgrader's id of it, if it has one.
        is_untouched: whether it is as it was released.
    """

    number: int
    source: str
    id: str | None = None
    is_untouched: bool = False

    @property
    def names(self) -> Names:
        """The names that it reads and binds."""
        return names_in(self.source)


def code_cells(cells: Iterable[dict[str, Any]]) -> tuple[CodeCell, ...]:
    """The code cells among a notebook's cells."""
    return tuple(
        CodeCell(number, cell["source"], grade_id(cell), is_untouched(cell))
        for number, cell in enumerate(cells, 1)
        if cell["cell_type"] == "code"
    )


def grade_id(cell: Mapping[str, Any]) -> str | None:
    """nbgrader's id of a cell, if it has one."""
    mark = cell.get("metadata", {}).get("nbgrader")
    name = mark.get("grade_id") if isinstance(mark, Mapping) else None
    return name if isinstance(name, str) else None


def check_place(ids: Sequence[str | None], exercise: str) -> int:
    """How many cells stand above the check of an exercise.

    Of several own cells the last counts, of several graded ones the first. Where the graded cell
    is not there, or above the own one, the check stands right below that; without either, last.

    Args:
        ids: of every cell nbgrader's id, or None.
        exercise: the exercise's name.
    """
    own = max((place for place, name in enumerate(ids) if name == exercise), default=None)
    graded = ids.index(GRADED + exercise) if GRADED + exercise in ids else None
    if own is None:
        return len(ids) if graded is None else graded
    return own + 1 if graded is None or graded < own else graded


def is_untouched(cell: Mapping[str, Any]) -> bool:
    """Whether a cell for an answer is as it was released, by the sum that nbgrader put there."""
    mark = cell.get("metadata", {}).get("nbgrader")
    if not isinstance(mark, Mapping) or "checksum" not in mark:
        return False
    flags = (str(bool(mark.get(flag))) for flag in ("grade", "solution", "locked"))
    points = mark.get("points")
    of = (str(float(points)),) if mark.get("grade") and isinstance(points, int | float) else ()
    texts = (cell["source"], cell["cell_type"], *flags, str(mark.get("grade_id")), *of)
    told = hashlib.md5("".join(texts).encode(), usedforsecurity=False).hexdigest()
    return bool(told == mark["checksum"])


def cells_for(
    cells: Sequence[CodeCell], exercise: str, above: int, also: Iterable[str] = ()
) -> tuple[CodeCell, ...]:
    """The cells that an exercise rests on, in the notebook's order.

    These are cells above its check, and those below that bind its name, with what they rest on:
    what they define may be what is judged.

    Args:
        cells: the notebook's code cells.
        exercise: the exercise's name.
        above: the number of the last cell above its check.
        also: other names that its checks ask for.
    """
    names = [cell.names for cell in cells]
    end = sum(cell.number <= above for cell in cells)
    opaque = [place for place in range(end) if names[place].is_opaque]
    needed = {*range(opaque[-1] + 1 if opaque else 0)}
    needed |= rest_on(names, end, {exercise, *also}, needed)
    for place in range(end, len(cells)):
        if exercise in names[place].binds:
            needed |= rest_on(names, place, (), {place})
    return tuple(cells[place] for place in sorted(needed))


def rest_on(
    cells: Sequence[Names], end: int, wanted: Collection[str], needed: Collection[int] = ()
) -> set[int]:
    """The places of the cells that names rest on.

    That is every cell that changes one of them, or a name that such a cell reads, and so on.

    Args:
        cells: the names of the notebook's code cells.
        end: the place before which they stand.
        wanted: the names.
        needed: places that are needed in any case.
    """
    modules = {name for cell in cells for name in cell.imports}
    changing: dict[str, list[int]] = {}
    for place in range(end):
        for name in cells[place].changes(modules):
            changing.setdefault(name, []).append(place)
    found, read = {*needed}, {*wanted}.union(*(cells[place].reads for place in needed))
    waiting = [*read]
    while waiting:  # each cell and each name once: a stranger's notebook may be one long chain
        for place in changing.get(waiting.pop(), ()):
            if place not in found:
                found.add(place)
                waiting += cells[place].reads - read
                read |= cells[place].reads
    return found


def changed_below(cells: Sequence[Names], end: int, wanted: Collection[str]) -> frozenset[str]:
    """The names that something rests on above a place, and that cells below it may change.

    These are the names themselves, and what the cells that they rest on read. A cell changes what
    it binds. What is no module, function or class it may change, too, where it uses it: `put(cfg)`,
    `other = cfg`, or a call of a function that has it. A cell that may bind what its text does not
    show may change all. Importing once more what was imported above changes nothing.

    Args:
        cells: the names of the notebook's code cells.
        end: the place: that of the first cell below.
        wanted: the names, such as an exercise's.
    """
    modules = {name for cell in cells for name in cell.imports}
    above = [cells[place] for place in rest_on(cells, end, wanted)]
    read = frozenset(wanted).union(*(one.reads for one in above))
    if any(cell.is_opaque for cell in cells[end:]):
        return read
    imported = frozenset[str]().union(*(cell.imports for cell in cells[:end]))
    changed = (cell.changes(modules) - (cell.imports & imported) for cell in cells[end:])
    defined = frozenset[str]().union(*(cell.defines for cell in cells[:end]))
    bound = frozenset[str]().union(*(cell.binds for cell in cells[:end]))
    used = frozenset[str]().union(*(cell.reads for cell in cells[end:]))
    behind = [cells[place] for place in rest_on(cells, end, used)]
    handled = (cell.known if cell.defines else cell.reads for cell in behind)
    kept = (bound - imported - defined) & used.union(*handled)
    return read & kept.union(*changed)


def is_long(sources: Iterable[str]) -> bool:
    """Whether a notebook's code is too long to be read as Python."""
    return sum(map(len, sources)) > MOST_CODE


def names_of(sources: Sequence[str]) -> list[Names]:
    """The names of a notebook's code cells; only their words are looked at where they are long."""
    if is_long(sources):
        return [_words_of(source) for source in sources]
    return [*_names_of_all(tuple(sources))]


@lru_cache(maxsize=2)  # asked for once an exercise, of more cells than `names_in` keeps
def _names_of_all(sources: tuple[str, ...]) -> list[Names]:
    return [names_in(source) for source in sources]


@lru_cache(maxsize=1024)  # most cells of a class are as they were released
def names_in(source: str) -> Names:
    """The names that a cell reads and binds; of a text that is no Python, what it seems to bind."""
    if len(source) > MOST_CODE:
        return _words_of(source)
    reading = _Reading()
    try:
        with _quiet, warnings.catch_warnings(action="ignore"):
            reading.add(source)
    except UNREADABLE:
        reading.reads.update(_WORD.findall(source))
        reading.binds.update(a or b for a, b in _BINDS.findall(source))
    if reading.words & _BY_TEXT:
        reading.reads.update(_WORD.findall(source))
    return Names(
        frozenset(reading.reads - reading.imports),
        frozenset(reading.binds),
        frozenset(reading.imports),
        frozenset(reading.defines),
        tuple(reading.modules),
        frozenset(reading.calls),
        tuple(reading.checks),
        bool(reading.words & _OPAQUE or _FORGETS.search(source)) or reading.has_star,
    )


def _words_of(source: str) -> Names:
    words = frozenset(_WORD.findall(source))
    return Names(reads=words, binds=words)


class _Reading:
    """Collects what `Names` holds."""

    def __init__(self) -> None:
        self.reads: set[str] = set()
        self.binds: set[str] = set()
        self.imports: set[str] = set()
        self.defines: set[str] = set()
        self.modules: list[str] = []
        self.calls: set[tuple[str, str]] = set()
        self.checks: list[str] = []
        self.words: set[str] = set()  # names, attributes, and texts that are one word
        self.has_star = False

    def add(self, source: str) -> None:
        """Read a cell's Python, or the code that a magic of it times."""
        text, tree = _parsed(source)
        if any(isinstance(node, _COMPREHENSIONS) for node in ast.walk(tree)):
            text = ast.unparse(_AsGenerators().visit(tree))
        self._tables(symtable.symtable(text, "<cell>", "exec"))
        for node, at_once in _walked(tree):
            self._anywhere(node)
            if at_once:
                self._at_once(node)

    def _tables(self, table: symtable.SymbolTable, is_top: bool = True) -> None:
        in_class = table.get_type() == "class"  # it may bind what it has read
        for symbol in table.get_symbols():
            if symbol.is_referenced() and (is_top or in_class or symbol.is_global()):
                self.reads.add(symbol.get_name())
            is_bound = symbol.is_assigned() or symbol.is_imported()
            if is_bound and (is_top or symbol.is_global()):
                self.binds.add(symbol.get_name())
        for child in table.get_children():
            self._tables(child, False)

    def _anywhere(self, node: ast.AST) -> None:
        match node:
            case ast.Name(word) | ast.Attribute(_, word) | ast.Constant(str(word)):
                self.words.add(word)
            case ast.Import(names):
                self.words.update(part for one in names for part in one.name.split("."))
            case ast.ImportFrom(module, names):
                self.words.update((module or "").split("."), (one.name for one in names))
            case ast.Call():
                self._call(node)

    def _call(self, node: ast.Call) -> None:
        words = [one.value for one in node.args if isinstance(one, ast.Constant)]
        texts = [word for word in words if isinstance(word, str)]
        match node.func:
            case ast.Name("check") if texts:
                self.checks.append(texts[0])
            case ast.Attribute(_, "run_line_magic" | "run_cell_magic") if texts:
                if texts[0] in RUNS_CODE:
                    self.add(texts[-1])

    def _at_once(self, node: ast.AST) -> None:
        match node:
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                self.defines.add(name)
            case ast.Import(names):
                self.modules += [one.name for one in names]
                self.imports.update(one.asname or one.name.partition(".")[0] for one in names)
            case ast.ImportFrom(module, names, 0) if module:
                self.modules.append(module)
                self.imports.update(one.asname or one.name for one in names)
                self.has_star |= any(one.name == "*" for one in names)
            case ast.Expr(ast.Call(ast.Attribute(owner, method))):
                self.calls.update((name, method) for name in _root(owner))
            case ast.AugAssign(ast.Name(name)) | ast.Name(name, ast.Del()):
                self.reads.add(name)
            case ast.Attribute(owner, _, ctx) | ast.Subscript(owner, _, ctx):
                if not isinstance(ctx, ast.Load):
                    self.binds |= _root(owner)
                    self.reads |= _root(owner)


class _AsGenerators(ast.NodeTransformer):
    """Makes generators of comprehensions, whose variables are their own in every Python.

    From 3.12 on, a comprehension runs in the scope around it (PEP 709), and a symbol table calls
    its variables that scope's.
    """

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp) -> ast.AST:
        """`[x for x in rows]`."""
        self.generic_visit(node)
        return ast.copy_location(ast.GeneratorExp(node.elt, node.generators), node)

    visit_SetComp = visit_ListComp  # noqa: N815

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        """`{name: x for name, x in rows}`."""
        self.generic_visit(node)
        both = ast.Tuple([node.key, node.value], ast.Load())
        return ast.copy_location(ast.GeneratorExp(both, node.generators), node)


def _parsed(source: str) -> tuple[str, ast.Module]:
    """A cell's text as Python, and its tree."""
    try:
        return source, ast.parse(source)
    except SyntaxError:
        plain = without_magics(source)
        return plain, ast.parse(plain)


def _walked(tree: ast.AST) -> Iterator[tuple[ast.AST, bool]]:
    """Each node, in order, and whether it runs when the cell does, not later in a function."""
    waiting = [(tree, True)]
    while waiting:
        node, at_once = waiting.pop()
        yield node, at_once
        at_once &= not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        waiting += [(one, at_once) for one in reversed([*ast.iter_child_nodes(node)])]


def _root(node: ast.expr) -> set[str]:
    """The name that an expression such as `x.y[0].z` begins with, where it begins with one."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return {node.id} if isinstance(node, ast.Name) else set()
