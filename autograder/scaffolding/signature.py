"""What an exercise is called with, read from text such as `layer_norm(x, gamma, beta, eps)`."""

import ast
import json
import re
from dataclasses import dataclass
from functools import cached_property

from autograder.course import CourseError

FIRST_OF_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Parameters of these names hold a number, others an array, where the signature does not say.
NUMBERS = {"eps": "1e-5", "epsilon": "1e-5", "axis": "-1", "dim": "-1", "scale": "0.5", "p": "0.5"}
NUMBERS |= {"alpha": "0.5", "beta1": "0.9", "beta2": "0.99", "lr": "0.1", "temperature": "0.5"}
COUNT = re.compile(r"[nkmd]|n_\w+|num_\w+|\w+_(size|len|length|dim|count)|size|length|width|steps?")
PLAIN = ("int", "float", "bool", "str")


@dataclass(frozen=True)
class Parameter:
    """One parameter.

    Attributes:
        name: its name.
        value: what to call it with, as code, where it is a number or a text; empty for an array.
        kind: its type as code; empty for an array whose signature does not say.
        default: its default as code; empty for none.
    """

    name: str
    value: str = ""
    kind: str = ""
    default: str = ""

    @property
    def is_array(self) -> bool:
        """Whether numbers are drawn for it."""
        return not self.value

    @property
    def is_count(self) -> bool:
        """Whether it is a whole number that a caller has to give."""
        return self.kind == "int" and not self.default


@dataclass(frozen=True)
class Signature:
    """A function and its parameters, or a class and those of its `__init__`.

    Attributes:
        name: what students write.
        parameters: in order, without `self`.
        returns: the type of what comes back as code; empty where the signature does not say.
    """

    name: str
    parameters: tuple[Parameter, ...]
    returns: str = ""

    @property
    def is_class(self) -> bool:
        """Whether students write a class: its name begins with a capital."""
        return self.name[:1].isupper()

    @cached_property
    def snake(self) -> str:
        """The name as files and folders have it: `gated_block` for `GatedBlock`."""
        return FIRST_OF_WORD.sub("_", self.name).lower()

    @property
    def arrays(self) -> list[Parameter]:
        """The parameters that arrays are drawn for."""
        return [one for one in self.parameters if one.is_array]

    @property
    def needed(self) -> list[Parameter]:
        """The parameters that a caller has to give."""
        return [one for one in self.parameters if not one.default]

    @property
    def options(self) -> list[Parameter]:
        """The parameters that have a default."""
        return [one for one in self.parameters if one.default]

    @property
    def call(self) -> str:
        """A call as people write it: `layer_norm(x, gamma, beta, eps)`."""
        return f"{self.name}({', '.join(one.name for one in self.parameters)})"

    def declared(self, kind: str) -> list[str]:
        """The parameters as a definition has them.

        Args:
            kind: the type of arrays.
        """
        return [
            f"{one.name}: {one.kind or kind}" + (f" = {one.default}" if one.default else "")
            for one in self.parameters
        ]

    def bare(self) -> list[str]:
        """The parameters as a student's definition has them, without types."""
        return [one.name + (f"={one.default}" if one.default else "") for one in self.parameters]


def read_signature(name: str, text: str | None) -> Signature:
    """Read what an instructor says of an exercise.

    Args:
        name: what students write.
        text: `layer_norm(x, gamma, beta, eps)`, types and defaults as one likes; None for one array
            `x`, and for a class one `width`.

    Raises:
        CourseError: the text is no signature, or one of another name.
    """
    if text is None:
        text = f"{name}({'width' if name[:1].isupper() else 'x'})"
    whole = f"{name}{text}" if text.lstrip().startswith("(") else text.strip().removeprefix("def ")
    source = f"def {whole.rstrip(':')}: ..."
    try:
        node = ast.parse(source).body[0]
    except SyntaxError:
        raise CourseError(
            f"{text!r} is no signature. Write it as Python would: {name}(x, axis=-1)."
        ) from None
    assert isinstance(node, ast.FunctionDef)
    if node.name != name:
        raise CourseError(f"The signature is of {node.name!r}, and the exercise is {name!r}.")
    every = node.args
    if every.vararg or every.kwarg or every.kwonlyargs or every.posonlyargs:
        raise CourseError(f"{text!r} has a * or a /: give plain parameters, such as (x, axis=-1).")
    own = [one for one in every.args if one.arg != "self"]
    if not own and not name[:1].isupper():
        raise CourseError(f"{text!r} takes nothing: there is nothing to draw for a hidden test.")
    lacking = len(every.args) - len(every.defaults)
    defaults = [None] * lacking + list(every.defaults)
    pairs = zip(every.args, defaults, strict=True)
    read = [
        _parameter(one.arg, _code(source, one.annotation), _code(source, value), name)
        for one, value in pairs
        if one.arg != "self"
    ]
    return Signature(name, tuple(read), _code(source, node.returns))


def _code(source: str, node: ast.expr | None) -> str:
    """A part of the signature as it was written; nothing for None."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return json.dumps(node.value, ensure_ascii=False)  # in the formatter's quotes
    return (node and ast.get_source_segment(source, node)) or ""


def _parameter(name: str, kind: str, default: str, owner: str) -> Parameter:
    if default:
        return Parameter(name, default, kind or _type_of(default), default)
    if kind in PLAIN:
        value = {"int": "3", "float": "0.5", "bool": "True", "str": '"TODO"'}[kind]
        return Parameter(name, NUMBERS.get(name, value), kind)
    if kind:
        return Parameter(name, "", kind)
    if name in NUMBERS:
        value = NUMBERS[name]
        return Parameter(name, value, "int" if value == "-1" else "float")
    if COUNT.fullmatch(name) or owner[:1].isupper():
        return Parameter(name, "3", "int")
    return Parameter(name)


def _type_of(default: str) -> str:
    """The type of a default, where one can tell."""
    try:
        value = ast.literal_eval(default)
    except ValueError:
        return "object"
    return "object" if value is None else type(value).__name__
