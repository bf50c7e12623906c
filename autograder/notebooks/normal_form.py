"""The form of an answer that stays when names and layout change.

Names that the cell itself binds are numbered in the order of their first use, scope by scope;
imported names are written out; annotations, docstrings, comments and `print` calls are left out;
constants, and the names of what others wrote, stay.
"""

import ast
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from autograder.checks.kit.cell_names import MOST_CODE, UNREADABLE

# Lines that only IPython understands.
MAGIC = re.compile(r"^([ \t]*)[%!?].*$", re.MULTILINE)

Imports = tuple[tuple[str, str], ...]
Function = ast.FunctionDef | ast.AsyncFunctionDef
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
Scoped = Function | ast.ClassDef | ast.Lambda | Comprehension
OWN = "%"  # before the number of a name that the cell binds: no other name begins so
LEFT_OUT = {"annotation", "returns", "type_comment", "type_params", "ctx", "kind"}


class NoPython(Exception):
    """A cell is no Python that can be read; the text says why."""


def normal_form(source: str, keep: str, imports: Imports = ()) -> str:
    """The form of a cell.

    Args:
        source: the cell.
        keep: the exercise, whose own name stays.
        imports: what names mean that the notebook imports elsewhere: (`np`, `numpy`).
    Raises:
        NoPython: it is none.
    """
    tree = parsed(source)
    try:
        return FormWriter(keep, dict(imports)).module(tree)
    except RecursionError as error:
        raise NoPython("it is nested too deeply") from error


def parsed(source: str) -> ast.Module:
    """The syntax tree of a cell; raises NoPython."""
    if len(source) > MOST_CODE:
        raise NoPython(f"it has {len(source)} characters")
    with warnings.catch_warnings(action="ignore"):
        try:
            return ast.parse(source)
        except UNREADABLE as error:
            plain = MAGIC.sub(r"\1pass", source)
            if plain == source:
                raise NoPython(str(error)) from error
        try:
            return ast.parse(plain)
        except UNREADABLE as error:
            raise NoPython(str(error)) from error


@lru_cache(maxsize=512)  # most cells of a class are as they were released
def imports_of(source: str) -> Imports:
    """What the names mean that a cell imports; nothing where it is no Python."""
    if "import" not in source:
        return ()
    try:
        tree = parsed(source)
    except NoPython:
        return ()
    return tuple(
        pair
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for pair in _imported(node)
    )


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield alias.asname or alias.name, f"{node.module or ''}.{alias.name}"
        elif alias.asname:
            yield alias.asname, alias.name
        else:
            top = alias.name.split(".")[0]
            yield top, top


@dataclass
class Scope:
    """The names bound in one scope.

    Attributes:
        names: what stands for each; None where it is not used yet.
        values: the value that stands for a name, and the name's place in it, where that is how it
            is written.
    """

    names: dict[str, str | None] = field(default_factory=dict)
    values: dict[str, tuple[ast.expr, str]] = field(default_factory=dict)


class FormWriter:
    """Writes the form of one cell."""

    def __init__(self, keep: str, imports: Mapping[str, str]) -> None:
        self.imports = imports
        self._keep = keep
        self.scopes: list[Scope] = []
        self._used = 0

    def module(self, tree: ast.Module) -> str:
        """The form of a cell."""
        self.scopes = [self.bound_in(tree.body)]
        self.scopes[0].names.pop(self._keep, None)
        return self.body(tree.body)

    def body(self, body: list[ast.stmt]) -> str:
        """The form of a block."""
        return "[" + ";".join(self.form(one) for one in body if not says_nothing(one)) + "]"

    def form(self, node: object) -> str:
        """The form of a node, of a list of nodes, or of a plain value."""
        match node:
            case ast.Name(id=name):
                return self.name(name)
            case ast.Attribute(value=value, attr=attr):
                return f"{self.form(value)}.{attr}"
            case ast.Constant(value=value):
                return f"{type(value).__name__}:{value!r}"
            case ast.AnnAssign(target=target, value=value):
                return self._plain("Assign", [[target], value])
            case ast.arg(arg=name) | ast.ExceptHandler(name=str(name)) as bound:
                return self._plain(self.name(name), _children(bound, skip=("arg", "name")))
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                return self._plain(type(node).__name__, [self.name(name) for name in names])
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) as bound:
                return self._plain(self.name(name), _children(bound, skip=("name",)))
            case ast.MatchMapping(rest=str(name)) as bound:
                return self._plain(self.name(name), _children(bound, skip=("rest",)))
            case _ if isinstance(node, Scoped):
                return self._scoped(node)
            case list():
                if node and isinstance(node[0], ast.stmt):
                    return self.body(node)
                return "[" + ",".join(map(self.form, node)) + "]"
            case ast.AST():
                return self._plain(type(node).__name__, _children(node))
            case _:
                return str(node)

    def _plain(self, name: str, parts: Iterable[object]) -> str:
        return f"{name}({','.join(map(self.form, parts))})"

    def _scoped(self, node: Scoped) -> str:
        """A definition, a lambda or a comprehension: its names are its own."""
        name = self.name(node.name) if isinstance(node, Function | ast.ClassDef) else ""
        outside = [self.form(one) for one in getattr(node, "decorator_list", ())]
        if isinstance(node, ast.ClassDef):
            outside += [self.form(one) for one in (*node.bases, *node.keywords)]
            named = self.bound_in(node.body).names  # attributes: others may ask for them by name
            self.scopes.append(Scope({one: one for one in named}))
            inside = self.body(node.body)
        elif isinstance(node, Comprehension):
            outside.append(self.form(node.generators[0].iter))  # which does not see the targets
            self.scopes.append(self.bound_in([one.target for one in node.generators]))
            inside = self.form([_children(node.generators[0], skip=("iter",))])
            inside += self.form(node.generators[1:])
            values = ("key", "value") if isinstance(node, ast.DictComp) else ("elt",)
            inside += "".join(self.form(getattr(node, value)) for value in values)
        else:
            outside += [self.form(one) for one in (*node.args.defaults, *node.args.kw_defaults)]
            body = [] if isinstance(node, ast.Lambda) else node.body
            self.scopes.append(self.bound_in([node.args, *body]))
            inside = self._plain("args", _children(node.args, skip=("defaults", "kw_defaults")))
            inside += self.form(node.body)
        self.scopes.pop()
        return f"{type(node).__name__} {name}({','.join(outside)}){inside}"

    def bound_in(self, nodes: Sequence[ast.AST]) -> Scope:
        """The scope whose names these nodes bind, without what scopes inside them bind."""
        return _bound_in(nodes)

    def name(self, name: str) -> str:
        """What stands for a name where it is used."""
        for scope in reversed(self.scopes):
            if name in scope.names:
                found = scope.names[name]
                if found is None:
                    found = scope.names[name] = f"{OWN}{self._used}"
                    self._used += 1
                return found
        return self.imports.get(name, name)


def _children(node: ast.AST, skip: Iterable[str] = ()) -> list[object]:
    return [
        value for name, value in ast.iter_fields(node) if name not in LEFT_OUT and name not in skip
    ]


def _bound_in(nodes: Iterable[ast.AST]) -> Scope:
    """The scope whose names these bind, without what scopes inside them bind."""
    scope, elsewhere = Scope(), set()
    waiting: list[ast.AST] = list(nodes)
    while waiting:
        node = waiting.pop()
        match node:
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                elsewhere |= set(names)
            case ast.Import() | ast.ImportFrom():
                scope.names |= dict(_imported(node))
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                scope.names[name] = None
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                scope.names[name] = None
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                scope.names[name] = None
        if isinstance(node, Function | ast.ClassDef):
            scope.names[node.name] = None
            waiting += node.decorator_list
        elif isinstance(node, Comprehension):
            # What is bound by := in there is bound out here.
            waiting += [one.target for one in ast.walk(node) if isinstance(one, ast.NamedExpr)]
        elif not isinstance(node, ast.Lambda):
            waiting += ast.iter_child_nodes(node)
    for name in elsewhere:
        scope.names.pop(name, None)
    return scope


def says_nothing(node: ast.stmt) -> bool:
    """Whether a statement is layout: a docstring, an import, a declared type, a `print`, `pass`."""
    match node:
        case ast.Import() | ast.Pass() | ast.Expr(value=ast.Constant()) | ast.AnnAssign(value=None):
            return True
        case ast.ImportFrom(names=names):
            return names[0].name != "*"
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"))):
            return True
    return False
