"""Rewrites answers as people write them who never saw ours: in another style, and with small slips.

A habit leaves a right answer right. A slip costs what a promise in the text is worth, and hides no
other mistake. Both are changes of the syntax tree, so that comments and layout stay.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import libcst as cst
import libcst.matchers as m


@dataclass(frozen=True)
class Rewrite:
    """One way in which strangers write otherwise.

    Attributes:
        name: in a word or two.
        is_slip: whether a promise may be broken by it.
        change: makes it in a cell; gives the same cell back where there is nothing to change.
    """

    name: str
    is_slip: bool
    change: Callable[[cst.Module], cst.Module]


def rewritten(source: str, rewrite: Rewrite) -> str | None:
    """The cell with this made in it; None where there is nothing to change, or no Python."""
    try:
        changed = rewrite.change(cst.parse_module(source)).code
    except cst.ParserSyntaxError:
        return None
    return changed if changed != source else None


def all_made(
    source: str, rewrites: Iterable[Rewrite], most: int
) -> tuple[str, tuple[Rewrite, ...]]:
    """The cell with the first of these that apply made in it, and which those are.

    Args:
        source: the cell.
        rewrites: in the order in which to try them.
        most: how many at most.
    """
    done: list[Rewrite] = []
    for rewrite in rewrites:
        changed = rewritten(source, rewrite) if len(done) < most else None
        if changed is not None:
            source = changed
            done.append(rewrite)
    return source, tuple(done)


class _NoAnnotations(cst.CSTTransformer):
    def leave_Param(self, original_node: cst.Param, updated_node: cst.Param) -> cst.Param:
        return updated_node.with_changes(annotation=None)

    def leave_FunctionDef(
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef:
        return updated_node.with_changes(returns=None)


class _OtherNames(cst.CSTTransformer):
    """Local names, as somebody else would call them: those that are assigned in a function."""

    def __init__(self) -> None:
        self._names: list[dict[str, str]] = []

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        found: dict[str, str] = dict(self._names[-1]) if self._names else {}
        given = {one.name.value for one in m.findall(node.params, m.Param(name=m.Name()))}
        for target in m.findall(node.body, m.AssignTarget()):
            targets = target.target.elements if m.matches(target.target, m.Tuple()) else (target,)
            for one in targets:
                name = one.target if isinstance(one, cst.AssignTarget) else one.value
                if isinstance(name, cst.Name) and name.value not in given:
                    found[name.value] = f"my_{name.value}"
        self._names.append(found)

    def leave_FunctionDef(
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef:
        self._names.pop()
        return updated_node.with_changes(name=original_node.name)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:
        known = self._names[-1] if self._names else {}
        return updated_node.with_changes(value=known.get(updated_node.value, updated_node.value))

    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.Attribute:
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)


class _Replaced(cst.CSTTransformer):
    """Every expression that a matcher finds, by another."""

    def __init__(self, wanted: m.BaseMatcherNode, other: Callable[[cst.CSTNode], cst.CSTNode]):
        self._wanted, self._other = wanted, other

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:
        node = super().on_leave(original_node, updated_node)
        return self._other(node) if m.matches(node, self._wanted) else node


class _WithoutKeyword(cst.CSTTransformer):
    """Calls without one of their keyword arguments."""

    def __init__(self, keyword: str) -> None:
        self._wanted = m.Arg(keyword=m.Name(keyword))

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        left = [one for one in updated_node.args if not m.matches(one, self._wanted)]
        if len(left) == len(updated_node.args):
            return updated_node
        if left:
            left[-1] = left[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        return updated_node.with_changes(args=left)


REFUSES = m.If(
    body=m.IndentedBlock(
        body=[
            m.ZeroOrMore(),
            m.SimpleStatementLine(
                body=[m.Raise(exc=m.Call(func=m.Name("ValueError")) | m.Name("ValueError"))]
            ),
        ]
    ),
    orelse=None,
)


class _Guards(cst.CSTTransformer):
    """Statements that refuse arguments: left out, or asserted."""

    def __init__(self, as_assertion: bool) -> None:
        self._as_assertion = as_assertion

    def leave_If(
        self, original_node: cst.If, updated_node: cst.If
    ) -> cst.If | cst.SimpleStatementLine | cst.RemovalSentinel:
        if not m.matches(updated_node, REFUSES):
            return updated_node
        if not self._as_assertion:
            return cst.RemoveFromParent()
        condition = cst.UnaryOperation(
            cst.Not(),
            updated_node.test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()]),
        )
        text = cst.SimpleString('"the sizes do not fit"')
        return cst.SimpleStatementLine([cst.Assert(condition, text)])


def _by(transformer: Callable[[], cst.CSTTransformer]) -> Callable[[cst.Module], cst.Module]:
    return lambda module: module.visit(transformer())


def _replacing(wanted: m.BaseMatcherNode, text: str) -> Callable[[cst.Module], cst.Module]:
    """Each expression of a kind by a text, in which `{}` is what a method is called on."""

    def other(node: cst.CSTNode) -> cst.CSTNode:
        inner = getattr(node, "func", node)
        own = cst.Module([]).code_for_node(inner.value) if "{}" in text else ""
        return cst.parse_expression(text.format(own))

    return _by(lambda: _Replaced(wanted, other))


def _first_lines(*lines: str) -> Callable[[cst.Module], cst.Module]:
    """Lines at the top of each function, behind its docstring."""

    class Adding(cst.CSTTransformer):
        def leave_FunctionDef(
            self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
        ) -> cst.FunctionDef:
            body = list(updated_node.body.body)
            start = 1 if updated_node.get_docstring() is not None else 0
            added = [cst.parse_statement(line) for line in lines]
            return updated_node.with_deep_changes(
                updated_node.body, body=[*body[:start], *added, *body[start:]]
            )

    return _by(Adding)


def _with_a_default(module: cst.Module) -> cst.Module:
    """One more argument with a default, for functions that take plain ones alone."""

    class Adding(cst.CSTTransformer):
        def leave_FunctionDef(
            self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
        ) -> cst.FunctionDef:
            params = updated_node.params
            if params.kwonly_params or params.star_kwarg or not _is_plain(params.star_arg):
                return updated_node
            extra = cst.Param(cst.Name("show_steps"), default=cst.Name("False"))
            return updated_node.with_changes(
                params=params.with_changes(params=[*params.params, extra])
            )

    return module.visit(Adding())


def _is_plain(star: object) -> bool:
    return isinstance(star, cst.MaybeSentinel)


def _behind_another(module: cst.Module) -> cst.Module:
    """The definition under another name, which the exercise's name passes everything on to."""
    last = next(
        (one for one in reversed(module.body) if isinstance(one, cst.FunctionDef | cst.ClassDef)),
        None,
    )
    if last is None:
        return module
    name = last.name.value
    renamed = last.with_changes(name=cst.Name(f"Base{name}"))
    if isinstance(last, cst.ClassDef):
        text = f"\n\nclass {name}(Base{name}):\n    pass\n"
    else:
        text = f"\n\ndef {name}(*args, **kwargs):\n    return Base{name}(*args, **kwargs)\n"
    body = [renamed if one is last else one for one in module.body]
    return cst.parse_module(module.with_changes(body=body).code + text)


TRANSPOSED = m.Attribute(attr=m.Name("mT"))
VIEWED = m.Attribute(attr=m.Name("view"))
MINUS_INFINITY = (
    m.Call(func=m.Name("float"), args=[m.Arg(m.SimpleString('"-inf"'))])
    | m.UnaryOperation(operator=m.Minus(), expression=m.Attribute(attr=m.Name("inf")))
    | m.UnaryOperation(
        operator=m.Minus(),
        expression=m.Call(func=m.Name("float"), args=[m.Arg(m.SimpleString('"inf"'))]),
    )
)
MADE_BOOLEAN = m.Call(func=m.Attribute(attr=m.Name("bool")), args=[])

REWRITES = (
    Rewrite("no annotations", False, _by(_NoAnnotations)),
    Rewrite("other names", False, _by(_OtherNames)),
    Rewrite("transpose", False, _replacing(TRANSPOSED, "{}.transpose(-2, -1)")),
    Rewrite("reshape", False, _replacing(VIEWED, "{}.reshape")),
    Rewrite("prints", False, _first_lines('print("", end="")')),
    Rewrite("dead code", False, _first_lines("unused = 3", "if unused > 5:\n    return None\n")),
    Rewrite("one more argument", False, _with_a_default),
    Rewrite("behind another name", False, _behind_another),
    Rewrite("no guard", True, _by(lambda: _Guards(as_assertion=False))),
    Rewrite("assert", True, _by(lambda: _Guards(as_assertion=True))),
    Rewrite("no device", True, _by(lambda: _WithoutKeyword("device"))),
    Rewrite("no dtype", True, _by(lambda: _WithoutKeyword("dtype"))),
    Rewrite("-1e9", True, _replacing(MINUS_INFINITY, "-1e9")),
    Rewrite("float mask", True, _replacing(MADE_BOOLEAN, "{}.float()")),
)
HABITS = tuple(one for one in REWRITES if not one.is_slip)
SLIPS = tuple(one for one in REWRITES if one.is_slip)
