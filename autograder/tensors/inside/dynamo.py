"""PyTorch's functions that its compiler is to leave alone, as long as nobody compiles.

PyTorch wraps some 290 of its own, most operations on the meta device and parts of each optimiser
among them. The wrapper imports the compiler at the first call, 0.7 seconds of every start, and asks
it on every later one.
"""

import gc
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

import torch

# Where the wrapper looks for what to call in place of the function that it wraps.
MARK = "__dynamo_disable"


def leave_out_compiler() -> None:
    """Call those functions as they are, until something imports the compiler."""
    wrapper = torch._disable_dynamo(leave_out_compiler).__code__
    if "fn" not in wrapper.co_freevars:
        return  # a PyTorch that wraps in another way: it loads its compiler, as it would
    place = wrapper.co_freevars.index("fn")
    for one in gc.get_objects():
        if type(one) is FunctionType and one.__code__ is wrapper:
            function = one.__closure__[place].cell_contents  # type: ignore[index]
            setattr(function, MARK, _directly(function, one))


def _directly(function: Callable[..., Any], wrapped: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        if "torch._dynamo" not in sys.modules:
            return function(*args, **kwargs)
        delattr(function, MARK)  # from here on PyTorch's own way
        return wrapped(*args, **kwargs)

    return call
