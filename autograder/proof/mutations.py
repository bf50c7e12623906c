"""What one slip could make of a piece of code: for each kind of node, what may stand in its place.

Every rule takes a node of libcst's tree and yields nodes, or nothing where it has nothing to say.
Annotations, docstrings and what is raised never get here.
"""

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import libcst as cst

Rule = Callable[[cst.CSTNode], Iterator[cst.CSTNode]]

OPERATORS: dict[type[cst.BaseBinaryOp], tuple[type[cst.BaseBinaryOp], ...]] = {
    cst.Add: (cst.Subtract,),
    cst.Subtract: (cst.Add,),
    cst.Multiply: (cst.Divide, cst.Add),
    cst.Divide: (cst.Multiply,),
    cst.FloorDivide: (cst.Divide, cst.Modulo),
    cst.Modulo: (cst.FloorDivide,),
    cst.Power: (cst.Multiply,),
    cst.MatrixMultiply: (cst.Multiply,),
    cst.BitAnd: (cst.BitOr, cst.BitXor),
    cst.BitOr: (cst.BitAnd, cst.BitXor),
}
NOT_THE_SAME_SWAPPED = (cst.Subtract, cst.Divide, cst.FloorDivide, cst.Modulo, cst.MatrixMultiply)
COMPARISONS: dict[type[cst.BaseCompOp], tuple[type[cst.BaseCompOp], ...]] = {
    cst.LessThan: (cst.LessThanEqual, cst.GreaterThan),
    cst.LessThanEqual: (cst.LessThan, cst.GreaterThanEqual),
    cst.GreaterThan: (cst.GreaterThanEqual, cst.LessThan),
    cst.GreaterThanEqual: (cst.GreaterThan, cst.LessThanEqual),
    cst.Equal: (cst.NotEqual,),
    cst.NotEqual: (cst.Equal,),
    cst.Is: (cst.IsNot,),
    cst.IsNot: (cst.Is,),
}
# What is easily taken for one another, in torch, NumPy and math.
SIBLINGS = (
    ("tril", "triu"),
    ("max", "min"),
    ("amax", "amin"),
    ("maximum", "minimum"),
    ("argmax", "argmin"),
    ("sum", "mean"),
    ("sum", "amax"),
    ("any", "all"),
    ("zeros", "ones"),
    ("new_zeros", "new_ones"),
    ("zeros_like", "ones_like"),
    ("softmax", "log_softmax"),
    ("softmax", "sigmoid"),
    ("log", "log2"),
    ("log", "log1p"),
    ("exp", "exp2"),
    ("rand", "randn"),
    ("cat", "stack"),
)
# What is taken for an infinity: in float32, the exponential of either is one.
FOR_INFINITY = ("200.0", "1e4")
EITHER_WAY_ROUND = ("transpose", "maximum", "minimum")
MODULES = frozenset({"torch", "math", "np", "nn", "F", "plt", "self"})
TURNED = ("mT", "T", "mH", "H")  # attributes that give the tensor itself, turned


def other_operators(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Another operator; the operands swapped; one of them alone."""
    if isinstance(node, cst.BinaryOperation):
        for other in OPERATORS.get(type(node.operator), ()):
            yield node.with_changes(operator=other())
        if isinstance(node.operator, NOT_THE_SAME_SWAPPED):
            yield node.with_changes(left=_closed(node.right), right=_closed(node.left))
        yield from (_in_place_of(node, node.left), _in_place_of(node, node.right))
    if isinstance(node, cst.BooleanOperation):
        other_word = cst.Or() if isinstance(node.operator, cst.And) else cst.And()
        yield node.with_changes(operator=other_word)
        yield from (_in_place_of(node, node.left), _in_place_of(node, node.right))
    if isinstance(node, cst.ComparisonTarget):
        for comparison in COMPARISONS.get(type(node.operator), ()):
            yield node.with_changes(operator=comparison())


def lost_signs(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """`-x`, `~x` and `not x` without their sign."""
    if isinstance(node, cst.UnaryOperation) and not isinstance(node.expression, cst.Integer):
        yield _in_place_of(node, node.expression)


def other_numbers(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """One more, one less, none, and the other sign: constants, dims and places.

    Fractions become a tenth more and less; what is smaller than that, twice and half of it.
    """
    number = whole(node)
    if number is not None:
        for other in dict.fromkeys((number + 1, number - 1, 0, -number)):
            if other != number:
                yield _number(other)
    if isinstance(node, cst.Float):
        value = float(node.value)
        step = 1.0 if value.is_integer() else 0.1
        near = (2 * value, value / 2) if 0 < value < step else (value + step, value - step)
        for other_value in dict.fromkeys((*near, 0.0)):
            if other_value != value:
                yield cst.parse_expression(f"{other_value:.6g}")


def finite_infinities(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A number of the same sign for an infinity, or for the end of a dtype's range."""
    sign = _infinity(node)
    for number in FOR_INFINITY if sign is not None else ():
        yield cst.parse_expression(f"{sign}{number}")


def other_truths(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """True for False, a condition that always holds, one side of a choice."""
    if isinstance(node, cst.Name) and node.value in ("True", "False"):
        yield node.with_changes(value=str(node.value == "False"))
    if isinstance(node, cst.IfExp):
        yield from (_in_place_of(node, node.body), _in_place_of(node, node.orelse))
    if isinstance(node, cst.If):
        yield node.with_changes(test=cst.Name("True"))


def other_arguments(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A keyword argument left out, or the last of several; two swapped; another diagonal."""
    if not isinstance(node, cst.Call):
        return
    if _function(node) in ("tril", "triu") and not node.args:
        yield from (node.with_changes(args=[cst.Arg(_number(n))]) for n in (1, -1))
    for place, argument in enumerate(node.args):
        if argument.keyword is not None:
            left = [*node.args[:place], *node.args[place + 1 :]]
            yield node.with_changes(args=[*left[:-1], *(_last(one) for one in left[-1:])])
    plain = [place for place, one in enumerate(node.args) if one.keyword is None and not one.star]
    if len(node.args) > 1 and plain[-1:] == [len(node.args) - 1]:
        yield node.with_changes(args=[*node.args[:-2], _last(node.args[-2])])
    if _function(node) in EITHER_WAY_ROUND:
        return
    for first, second in itertools.pairwise(plain):
        yield node.with_changes(args=_swapped(node.args, first, second))


def left_out_calls(node: cst.CSTNode, modules: Collection[str]) -> Iterator[cst.CSTNode]:
    """`x` for `x.f(...)` and `f(x)`, and for `x.mT`."""
    if isinstance(node, cst.Attribute) and node.attr.value in TURNED:
        yield _in_place_of(node, node.value)
    if not isinstance(node, cst.Call):
        return
    called = node.func
    if isinstance(called, cst.Attribute) and not _begins_with_module(called.value, modules):
        yield _in_place_of(node, called.value)
    if len(node.args) == 1 and node.args[0].keyword is None and not node.args[0].star:
        yield _in_place_of(node, node.args[0].value)


def other_names(node: cst.CSTNode, families: Iterable[Sequence[str]]) -> Iterator[cst.CSTNode]:
    """A name of the same family, or the function that is taken for this one."""
    if isinstance(node, cst.Name):
        for family in (*families, *SIBLINGS):
            if node.value in family:
                for other in family:
                    if other != node.value:
                        yield node.with_changes(value=other)


def other_places(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Neighbours swapped in a tuple, a list or a subscript; a list's element left out."""
    if isinstance(node, cst.Tuple | cst.List):
        for place in range(len(node.elements) - 1):
            yield node.with_changes(elements=_swapped(node.elements, place, place + 1))
    if isinstance(node, cst.List) and len(node.elements) > 1:
        for place in range(len(node.elements)):
            left = [*node.elements[:place], *node.elements[place + 1 :]]
            yield node.with_changes(elements=[*left[:-1], _last(left[-1])])
    if isinstance(node, cst.Subscript):
        for place in range(len(node.slice) - 1):
            yield node.with_changes(slice=_swapped(node.slice, place, place + 1))


def other_bounds(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A slice without one of its bounds, or with one moved by one."""
    if not isinstance(node, cst.Slice):
        return
    for name in ("lower", "upper"):
        bound = getattr(node, name)
        if bound is None:
            continue
        yield node.with_changes(**{name: None})
        if whole(bound) is None:
            for operator in (cst.Add(), cst.Subtract()):
                moved = cst.BinaryOperation(_closed(bound), operator, cst.Integer("1"))
                yield node.with_changes(**{name: moved})


def left_out_statements(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """`pass` for a statement; what stands in a `with`, without it."""
    if isinstance(node, cst.With):
        yield cst.If(cst.Name("True"), node.body)
    if isinstance(node, cst.SimpleStatementLine) and not isinstance(node.body[0], cst.Pass):
        yield node.with_changes(body=[cst.Pass()])


def rules(families: Iterable[Sequence[str]], modules: Collection[str]) -> tuple[Rule, ...]:
    """Every rule.

    Args:
        families: names of which a student may write one for another.
        modules: names of the course's own modules.
    """
    return (
        other_operators,
        lost_signs,
        other_numbers,
        finite_infinities,
        other_truths,
        other_arguments,
        partial(left_out_calls, modules=MODULES | set(modules)),
        partial(other_names, families=families),
        other_places,
        other_bounds,
        left_out_statements,
    )


def whole(node: cst.CSTNode) -> int | None:
    """The whole number that a node writes, with its sign; None for anything else."""
    match node:
        case cst.Integer():
            return node.evaluated_value
        case cst.UnaryOperation(operator=cst.Minus(), expression=cst.Integer() as number):
            return -number.evaluated_value
    return None


def _infinity(node: cst.CSTNode) -> str | None:
    """The sign of an infinity, "" or "-", or of the end of a dtype's range; None for the rest."""
    match node:
        case cst.Attribute(
            value=cst.Name(value="torch" | "math" | "np"), attr=cst.Name(value="inf")
        ):
            return ""
        case cst.Attribute(value=cst.Call() as asked, attr=cst.Name(value="min" | "max" as end)):
            of_range = _function(asked) == "finfo"
            return {"min": "-", "max": ""}[end] if of_range else None
        case cst.Call(func=cst.Name(value="float"), args=[cst.Arg(value=cst.SimpleString() as of)]):
            return {"inf": "", "-inf": "-"}.get(str(of.evaluated_value).replace("inity", ""))
    return None


def _function(node: cst.Call) -> str:
    """The name of the function or method that is called."""
    match node.func:
        case cst.Name(value=name) | cst.Attribute(attr=cst.Name(value=name)):
            return name
    return ""


def _number(value: int) -> cst.BaseExpression:
    return cst.parse_expression(str(value))


def _begins_with_module(node: cst.BaseExpression, modules: Collection[str]) -> bool:
    """Whether `x.f(...)` without `.f(...)` is a module, or the student's own object, alone."""
    match node:
        case cst.Name(value=name):
            return name in modules
        case cst.Attribute(value=value):
            return _begins_with_module(value, modules)
        case cst.Call(func=cst.Name(value="super")):
            return True
    return False


def _in_place_of(node: cst.CSTNode, other: cst.BaseExpression) -> cst.CSTNode:
    """Another expression in the brackets that this one stands in."""
    if getattr(node, "lpar", ()) and not other.lpar:
        return other.with_changes(lpar=node.lpar, rpar=node.rpar)  # type: ignore[attr-defined]
    return other


def _closed(node: cst.BaseExpression) -> cst.BaseExpression:
    """An operation in brackets, so that it stays one operand."""
    if isinstance(node, cst.BinaryOperation) and not node.lpar:
        return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return node


def _last(element: cst.CSTNode) -> cst.CSTNode:
    """An element as the last one of its list, without a comma."""
    return element.with_changes(comma=cst.MaybeSentinel.DEFAULT)


def _swapped(elements: Sequence[Any], first: int, second: int) -> list[Any]:
    """Two elements in each other's place; the commas stay where they are."""
    swapped = list(elements)
    here, there = elements[first], elements[second]
    swapped[first] = there.with_changes(comma=here.comma)
    swapped[second] = here.with_changes(comma=there.comma)
    return swapped
