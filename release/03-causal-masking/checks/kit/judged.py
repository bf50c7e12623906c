"""Which definition of an exercise is judged: one, and never the best of several.

It is what the exercise's name is bound to when its check is reached, if that is a function or class
and no stub; else what its own cell bound; else the last definition in any cell, above or below. So
it is in the notebook, in the terminal and in grading. Of a question it is the answer in place of
the dots.
"""

import ast
import dis
import inspect
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any, Literal

from .cell_names import UNREADABLE, check_place, grade_id, names_in
from .magics import without_magics

ELSEWHERE = "its own cell holds no answer, so the last definition in the notebook is judged"

_WRITTEN_YET = " is not written yet"  # as every stub says it; checking.py reads the whole sentence
_DEEPEST = 8  # wrappers around a function
_MISSING = object()
_HOLD_FUNCTIONS = (FunctionType, staticmethod, classmethod, property)
_LOOKS_UP = {"LOAD_GLOBAL", "LOAD_NAME"}
_QUESTION = re.compile(r"[qk][0-9]+")

Where = Literal["at its check", "own", "last"]
WHERE: tuple[Where, ...] = ("at its check", "own", "last")


@dataclass(frozen=True)
class Judged:
    """What is judged of an exercise.

    Attributes:
        value: the function or class, or the answer to a question.
        where: which of the three it is.
        cell: the number of the cell that bound it.
    """

    value: Any
    where: Where
    cell: int


class Definitions:
    """Follows what cells bind to the names of exercises.

    Args:
        namespace: where cells bind names.
    """

    def __init__(self, namespace: dict[str, Any]) -> None:
        self._namespace = namespace
        self._seen: dict[str, Any] = {}
        self._last: dict[str, Judged] = {}
        self._own: dict[str, Judged] = {}
        self._at_check: dict[str, Judged] = {}

    def ran(
        self, cell: int, names: Collection[str], own: str | None = None, source: str = ""
    ) -> None:
        """A cell has run.

        Args:
            cell: its number.
            names: the exercises to follow; the same for every cell.
            own: the exercise whose own cell it is.
            source: its text, where it has run to its end: what it defines counts, too, where it
                has bound the name to something else since.
        """
        for name in names:
            value = self._namespace.get(name, _MISSING)
            if value is self._seen.get(name, _MISSING) and name != own:
                continue
            is_new = value is not self._seen.get(name, _MISSING)
            self._seen[name] = value
            answer = value if is_answer(name, value) else _MISSING
            if answer is _MISSING and name in source:
                answer = next(_answers_in(source, name, self._namespace), _MISSING)
                is_new |= answer is not _MISSING
            if answer is not _MISSING and is_new:
                self._last[name] = Judged(answer, "last", cell)
            if name == own:
                self._own.pop(own, None)
                if answer is not _MISSING or value is not _MISSING:
                    bound = value if answer is _MISSING else answer
                    self._own[own] = Judged(bound, "own", cell)

    def reached(self, name: str) -> bool:
        """The check of an exercise is reached; whether what its name is bound to is judged."""
        value = self._namespace.get(name, _MISSING)
        last = self._last.get(name)
        if last is not None and last.value is value:
            self._at_check[name] = Judged(value, "at its check", last.cell)
        return self._is_judged_at_check(name)

    def judged(self, name: str) -> Judged | None:
        """What is judged of an exercise; None where nothing is."""
        at_check, own = self._at_check.get(name), self._own.get(name)
        own_answers = own is not None and is_answer(name, own.value)
        if at_check is not None and (self._is_judged_at_check(name) or not own_answers):
            return at_check
        return own if own_answers else self._last.get(name, own)

    def mended(self) -> dict[str, Any]:
        """What is judged of the exercises whose names a stub has taken, or that are not bound."""
        found = {name: self.judged(name) for name in self._seen}
        now = {name: self._namespace.get(name, _MISSING) for name in found}
        return {
            name: one.value
            for name, one in found.items()
            if one is not None and (now[name] is _MISSING or is_stub(now[name]))
        }

    def _is_judged_at_check(self, name: str) -> bool:
        found = self._at_check.get(name)
        return found is not None and (not callable(found.value) or _is_definition(found.value))


def is_answer(name: str, value: Any) -> bool:
    """Whether a value can be what is judged: what can be called and is no stub; or an answer."""
    if _QUESTION.fullmatch(name):
        return isinstance(value, str | int | float | list | tuple | set)
    return callable(value) and not is_stub(value)


def is_stub(value: Any, depth: int = _DEEPEST) -> bool:
    """Whether something is as it was released, or can do nothing but say that it is not written.

    It is told by the code that would run: a call that raises says nothing of other arguments.
    """
    try:
        if getattr(type(value), "is_no_answer", False):  # an import that is not there
            return True
        if isinstance(value, type):
            return any(_says_so(code) for one in vars(value).values() for code in _codes(one))
        if any(_says_so(code) or _only_raises(code) for code in _codes(value)):
            return True
        inside = [getattr(value, "__wrapped__", None), getattr(value, "func", None)]
        closure = getattr(value, "__closure__", None) or ()
        inside += [cell.cell_contents for cell in closure if cell.cell_contents is not value]
        return depth > 0 and any(is_stub(one, depth - 1) for one in inside if callable(one))
    except Exception:  # a student's object answers as it likes, and an empty cell of a closure too
        return False


def _is_definition(value: Any) -> bool:
    """Whether something is a function or a class, or a library's wrapper of one.

    An instance of a class of the notebook's, or a module of a library of tensors, is what a
    definition has made.
    """
    if inspect.isroutine(value) or isinstance(value, type) or hasattr(value, "__wrapped__"):
        return True
    from .values import values  # it needs NumPy; whoever lacks that is told so by the terminal

    return type(value).__module__ != "__main__" and not values().is_module(value)


def names_read(name: str, namespace: Mapping[str, Any], ends: Collection[str]) -> set[str]:
    """The notebook's names that a definition of its looks up when it runs, through helpers too.

    Args:
        name: the definition's name.
        namespace: the notebook's.
        ends: names that are found and not looked into.
    """
    found: set[str] = set()
    waiting = [name]
    while waiting:
        value = namespace.get(waiting.pop())
        parts = vars(value).values() if isinstance(value, type) else [value]
        functions = [_function_in(one) for one in parts if isinstance(one, _HOLD_FUNCTIONS)]
        own = [one for one in functions if getattr(one, "__globals__", None) is namespace]
        for code in [code for one in own for code in _codes(one)]:
            read = _looked_up(code) & namespace.keys() - found
            found |= read
            waiting += read - set(ends)
    return found


def _looked_up(code: CodeType) -> set[str]:
    """The names that code, and what it defines inside, looks up outside of itself."""
    read = {str(one.argval) for one in dis.get_instructions(code) if one.opname in _LOOKS_UP}
    inside = (one for one in code.co_consts if isinstance(one, CodeType))
    return read.union(*map(_looked_up, inside))


def _codes(value: Any) -> list[CodeType]:
    """The code of a function, or of what a class keeps one in."""
    code = getattr(_function_in(value), "__code__", None)
    return [code] if isinstance(code, CodeType) else []


def _function_in(value: Any) -> Any:
    """The function that a class keeps in something; the value itself where it keeps none."""
    if isinstance(value, property):
        value = value.fget
    return getattr(value, "__func__", value)


def _says_so(code: CodeType) -> bool:
    return any(
        isinstance(one.argval, str) and _WRITTEN_YET in one.argval
        for one in dis.get_instructions(code)
        if "CONST" in one.opname
    )


def _only_raises(code: CodeType) -> bool:
    """Whether all that it can do is to raise NotImplementedError."""
    names = [one.opname for one in dis.get_instructions(code)]
    returns = any(name.startswith(("RETURN", "YIELD")) for name in names)
    return "NotImplementedError" in code.co_names and not returns


@contextmanager
def standing_for(meanwhile: Mapping[str, Any], namespace: dict[str, Any]) -> Iterator[None]:
    """Let names stand for other values meanwhile."""
    before = {name: namespace[name] for name in meanwhile if name in namespace}
    namespace.update(meanwhile)
    try:
        yield
    finally:
        for name in meanwhile:
            namespace.pop(name, None)
        namespace.update(before)


def told_of(found: Judged | None) -> str:
    """What to say behind what was found, where the definition is not where it belongs."""
    return f" Note that {ELSEWHERE}." if found is not None and found.where == "last" else ""


def judged_now(
    name: str,
    namespace: dict[str, Any],
    ran: Sequence[str],
    saved: Sequence[Mapping[str, Any]] = (),
) -> Judged | None:
    """What is judged of an exercise in a notebook that is being worked on, if its check runs now.

    Args:
        name: the exercise's name.
        namespace: the notebook's.
        ran: the cells that were run so far, as IPython keeps them; their numbers are those there.
        saved: the notebook's cells, as it was saved last: they tell what stands below the check.
    Returns:
        a definition in the cells that were run; None where its name stands for what is judged, or
        nothing else is there.
    """
    value = namespace.get(name)
    defining = [place for place, source in enumerate(ran) if name in names_in(source).binds]
    if _QUESTION.fullmatch(name) or not defining:
        return None
    if name not in namespace and not any(re.search(rf"\bdel\b.*\b{name}\b", one) for one in ran):
        return None  # the cells that define it have stopped above that
    end = check_place([grade_id(cell) for cell in saved], name)
    order = {cell["source"]: place for place, cell in enumerate(saved)}
    below = {place for place in defining if order.get(ran[place], -1) >= end}
    is_bound_below = defining[-1] in below
    if is_answer(name, value) and _is_definition(value) and not is_bound_below:
        return None
    own = {cell["source"] for cell in saved if grade_id(cell) == name}
    above = [place for place in reversed(defining) if place not in below]
    candidates: list[tuple[Where, list[int]]] = [
        ("at its check", above[:1] if is_bound_below else []),
        ("own", [place for place in above if ran[place] in own]),
        ("last", [*sorted(below, key=lambda place: -order[ran[place]]), *above]),
    ]
    for where, places in candidates:
        for place in places:
            for found in _answers_in(ran[place], name, namespace):
                return Judged(found, where, place)
    return None


def _answers_in(source: str, name: str, namespace: dict[str, Any]) -> Iterator[Any]:
    """Of what the definitions of a name in a cell give, the answers, the last first."""
    return (found for found in _defined_by(source, name, namespace) if is_answer(name, found))


def _defined_by(source: str, name: str, namespace: dict[str, Any]) -> Iterator[Any]:
    """What the definitions of a name in a cell give, the last first; nothing else of it runs."""
    if name not in names_in(source).binds:
        return
    with suppress(*UNREADABLE):
        for node in _binding(ast.parse(without_magics(source)), name):
            made: dict[str, Any] = {}
            with suppress(Exception):
                code = compile(ast.Module([node], []), "<definition>", "exec")
                exec(code, namespace, made)
                yield made.get(name)


def _binding(within: ast.AST, name: str) -> Iterator[ast.stmt]:
    """The statements that give a name a function or class, the last first, in `if` and such too."""
    for node in reversed(list(ast.iter_child_nodes(within))):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                if node.name == name:
                    yield node
            case ast.ImportFrom():
                if any((one.asname or one.name) == name for one in node.names):
                    yield node
            case (
                ast.Assign(targets=[ast.Name(id=bound)], value=value)
                | ast.AnnAssign(target=ast.Name(id=bound), value=value)
            ):
                if bound == name and _is_as_good_as_a_definition(value):
                    yield node
            case ast.stmt() | ast.ExceptHandler() | ast.match_case():
                yield from _binding(node, name)


def _is_as_good_as_a_definition(value: ast.expr | None) -> bool:
    """Whether it names or wraps a function, so that it can be looked at again at no cost."""
    if isinstance(value, ast.Call):
        called = value.func
        return getattr(called, "id", getattr(called, "attr", "")) == "partial"
    return isinstance(value, ast.Lambda | ast.Name | ast.Attribute)
