"""What checks and graders do with values: tell, copy and compare them. NumPy's and Python's, here.

A course that requires torch has `tensors` beside this file, which knows tensors and modules, too.
That folder is the one exception to the engine's rule that torch is used in `autograder.tensors`
alone: students carry the kit, and nothing else of the engine. The releases of a course of NumPy
alone do not have it.
"""

import random
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, NoReturn

import numpy as np

from .libraries import with_torch

Array = Any
"""A NumPy array, or a tensor where the course has them."""


class Values:
    """What is known of values; `tensors` has a class with more of it."""

    def is_array(self, value: Any) -> bool:
        """Whether it is an array or a tensor."""
        return isinstance(value, np.ndarray)

    def is_module(self, value: Any) -> bool:
        """Whether it is a module, which stays where it is and is called there."""
        return False

    def is_gradient(self, value: Any) -> bool:
        """Whether it is exactly of a type that gradients have."""
        return False

    def kind(self, array: Array) -> str:
        """What an array is called in an argument: "array"."""
        return "array"

    def noun(self, array: Array) -> str:
        """What an array is called in a sentence: "NumPy array"."""
        return "NumPy array"

    def dtype_text(self, array: Array) -> str:
        """The dtype without its library: `float32`."""
        return str(array.dtype)

    def device_text(self, array: Array) -> str:
        """Where its numbers are."""
        return "cpu"

    def holds_floats(self, array: Array) -> bool:
        """Whether it holds floating-point numbers by its dtype."""
        return array.dtype.kind == "f"

    def holds_integers(self, array: Array) -> bool:
        """Whether it holds whole numbers by its dtype."""
        return array.dtype.kind in "iu"

    def numbers_of(self, value: Any) -> np.ndarray | None:
        """Booleans, or else numbers in float64, of an array; None where there are none."""
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            return value if value.dtype.kind == "b" else value.astype(np.float64)
        return None

    def as_numpy(self, array: Array) -> np.ndarray:
        """The same numbers, truth values among them, as an array of NumPy's."""
        found: np.ndarray = array
        return found

    def plain_number(self, value: Any) -> Any:
        """The number of Python's that an array without axes holds; any other value as it is."""
        if isinstance(value, np.generic) and value.dtype.kind in "iuf" and value.itemsize <= 8:
            return value.item()
        if type(value) is np.ndarray and value.ndim == 0:
            return self.plain_number(value[()])
        return value

    def is_shape(self, value: Any) -> bool:
        """Whether its type is one that shapes have."""
        return type(value) in (tuple, list)

    def module_text(self, module: Any) -> str:
        """A module in one line."""
        return type(module).__name__

    def copied(self, array: Array) -> Array:
        """A copy, laid out in memory as it is."""
        return array.copy(order="K")

    def holds_same(self, now: Array, before: Array) -> bool:
        """Whether two arrays hold the same bits, in the same form."""
        same_form = now.shape == before.shape and now.dtype == before.dtype
        return same_form and now.tobytes() == before.tobytes()

    def as_sent(self, value: Any) -> Any:
        """A value as it would arrive from another process, without what led to it."""
        return value

    def gradients(
        self, call: Callable[..., Any], args: Any, upstream: Any, module: Any
    ) -> tuple[Any, tuple[Array | None, ...], dict[str, Array | None]]:
        """One forward and one backward pass; see `tensors.gradients`."""
        return _no_tensors()

    def linear(self, weight: Array, bias: Array | None) -> Any:
        """A linear layer with these parameters."""
        return _no_tensors()

    @staticmethod
    def _comparable(part: object) -> object:
        return part.tobytes() if isinstance(part, np.ndarray) else part

    def seed(self, number: int) -> None:
        """Seed the random numbers that the library draws by itself."""
        np.random.seed(number)

    def random_states(self) -> dict[str, object]:
        """The states of the generators that all of the process draws from, by whose they are."""
        state: Any = np.random.get_state(legacy=False)
        parts = [(name, self._comparable(part)) for name, part in state["state"].items()]
        return {"Python": random.getstate(), "NumPy": (*parts, state.get("has_gauss"))}

    def prepare(self) -> None:
        """Import now what the library would import by itself when parts of it are first used."""

    def autocast(self, device_type: str, dtype: Any) -> AbstractContextManager[Any]:
        """Calls inside this context run under autocast."""
        return _no_tensors()


def _no_tensors() -> NoReturn:
    raise RuntimeError("This needs tensors, and nothing here has imported torch.")


_known: list[Values] = [Values()]


def know(values: Values) -> None:
    """Have these known from now on, in place of NumPy's alone."""
    _known[0] = values


def values() -> Values:
    """What is known of values here."""
    with_torch(f"{__package__}.tensors")
    return _known[0]
