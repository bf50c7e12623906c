"""Right answers written as Python expressions over a question's sizes: `4 * rows * width`."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import CodeType
from typing import Any

KNOWN = {name: value for name, value in vars(math).items() if not name.startswith("_")}
Value = int | float | tuple[int, ...]


class WrongExpression(Exception):
    """An expression has no value of the kind that is wanted; the text says why."""


@dataclass(frozen=True)
class Expression:
    """An expression over sizes and the names of `math`, as an instructor wrote it.

    Only instructors write these, and only the trusted side evaluates them.

    Attributes:
        source: the Python text.
    """

    source: str

    def number(self, sizes: Mapping[str, int]) -> int | float:
        """Its value as a finite number.

        Raises:
            WrongExpression: it has none.
        """
        value = self._value(sizes)
        if type(value) is not int and not (type(value) is float and math.isfinite(value)):
            raise WrongExpression(f"{self.source} is {value!r}, and not a finite number")
        return value

    def shape(self, sizes: Mapping[str, int]) -> tuple[int, ...]:
        """Its value as a shape.

        Raises:
            WrongExpression: it has none.
        """
        value = self._value(sizes)
        whole = type(value) is tuple and all(type(size) is int and size > 0 for size in value)
        if not whole:
            raise WrongExpression(
                f"{self.source} is {value!r}, and not a tuple of whole numbers above 0"
            )
        return value

    def _value(self, sizes: Mapping[str, int]) -> Any:
        try:
            return eval(self._code, {"__builtins__": {}, **KNOWN}, dict(sizes))
        except Exception as error:
            raise WrongExpression(f"{self.source}: {error}") from error

    @cached_property
    def _code(self) -> CodeType:
        return compile(self.source.strip(), "<answer>", "eval")
