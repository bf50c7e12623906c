"""The form of an answer that stays under more than renaming: for what may have the same origin.

On top of what the normal form leaves out: the order of lines, names for values in between, and the
order of what is added or multiplied. Two answers of one form need not compute the same.
"""

import ast
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from autograder.notebooks.normal_form import (
    FormWriter,
    Function,
    Imports,
    NoPython,
    Scope,
    parsed,
    says_nothing,
)

CHANGING = "~"  # stands for a name that is bound more than once
LONGEST_VALUE = 2000  # characters: values in values would grow without end
COMMUTES = ast.Add | ast.Mult | ast.BitAnd | ast.BitOr
TURNED = {ast.Gt: ast.Lt(), ast.GtE: ast.LtE()}
SYMMETRIC = ast.Eq | ast.NotEq


def loose_form(source: str, keep: str, imports: Imports = ()) -> str:
    """The loose form of a cell, hashed; of one that is no Python, of its words.

    Args:
        source: the cell.
        keep: the exercise, whose own name stays.
        imports: what names mean that the notebook imports elsewhere.
    """
    try:
        written = _LooseWriter(keep, dict(imports)).module(parsed(source))
    except (NoPython, RecursionError):
        written = " ".join(source.split())
    return _hashed(written)


class _LooseWriter(FormWriter):
    """Writes values in the place of names that are bound once, and blocks in no order."""

    def body(self, body: list[ast.stmt]) -> str:
        forms = [
            self.form(one) for one in body if not says_nothing(one) and not self._is_written(one)
        ]
        return "[" + ";".join(sorted(forms)) + "]"

    def form(self, node: object) -> str:
        match node:
            case ast.BinOp(left=left, op=op, right=right) if isinstance(op, COMMUTES):
                both = sorted([self.form(left), self.form(right)])
                return f"{type(op).__name__}({','.join(both)})"
            case ast.BoolOp(op=op, values=values):
                return f"{type(op).__name__}({','.join(sorted(map(self.form, values)))})"
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                both = [self.form(left), self.form(right)]
                if isinstance(op, ast.Gt | ast.GtE):
                    op, both = TURNED[type(op)], both[::-1]
                both = sorted(both) if isinstance(op, SYMMETRIC) else both
                return f"{type(op).__name__}({','.join(both)})"
            case ast.Attribute(value=ast.Name(id="self"), ctx=ast.Store()):
                return f"self.{CHANGING}"
        return super().form(node)

    def bound_in(self, nodes: Sequence[ast.AST]) -> Scope:
        scope = super().bound_in(nodes)
        given = [node for node in nodes if isinstance(node, ast.arguments)]
        parameters = [name for node in given for name in _args(node)]
        for number, name in enumerate(parameters):
            scope.names[name] = f"%{len(self.scopes)}.{number}"
        times = Counter(_stored(nodes))
        for name, value, place in _assigned(nodes):
            if name in scope.names and times[name] == 1 and name not in parameters:
                scope.values[name] = value, place
        for name, found in scope.names.items():
            if found is None and name not in scope.values:
                scope.names[name] = CHANGING
        return scope

    def name(self, name: str) -> str:
        for depth, scope in reversed(list(enumerate(self.scopes))):
            if name in scope.names:
                if scope.names[name] is None:
                    value, place = scope.values[name]
                    scope.names[name] = CHANGING  # as long as its own value is being written
                    inner, self.scopes = self.scopes, self.scopes[: depth + 1]
                    text = self.form(value)
                    text = text if len(text) <= LONGEST_VALUE else _hashed(text)
                    scope.names[name] = text + place
                    self.scopes = inner
                return scope.names[name] or CHANGING
        return self.imports.get(name, name)

    def _is_written(self, node: ast.stmt) -> bool:
        """Whether a statement only binds names in whose place their values are written."""
        found = list(_targets(node))
        values = self.scopes[-1].values
        return bool(found) and all(name in values for name, _, _ in found)


def _stored(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        for one in ast.walk(node):
            match one:
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                    yield name
                case ast.Global(names=names) | ast.Nonlocal(names=names):
                    yield from (*names, *names)


def _assigned(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, ast.expr, str]]:
    """Names with the values that simple assignments bind them to, outside of inner functions."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        yield from _targets(node)
        if not isinstance(node, Function | ast.ClassDef | ast.Lambda | ast.expr):
            waiting += ast.iter_child_nodes(node)


def _targets(node: ast.AST) -> Iterator[tuple[str, ast.expr, str]]:
    """What `a = value` or `a, b = value` binds: the name, the value, and its place in it."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield name, value, ""
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield name, value, ""
        case ast.Assign(targets=[ast.Tuple(elts=elts)], value=value):
            if all(isinstance(one, ast.Name) for one in elts):
                for place, one in enumerate(elts):
                    assert isinstance(one, ast.Name)
                    yield one.id, value, f".{place}"


def _args(node: ast.arguments) -> list[str]:
    plain = [*node.posonlyargs, *node.args, *filter(None, [node.vararg])]
    return [one.arg for one in (*plain, *node.kwonlyargs, *filter(None, [node.kwarg]))]


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:16]
