"""What a call does besides giving the right numbers: it stays on its device, and leads back."""

import re
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from checks.kit.errors import Gradients, StudentError
from checks.kit.expectation import Mismatch

# What says that code reads a number that a tensor on the device meta does not have.
NO_NUMBERS_TO_READ = ("cannot be called on meta tensors", "with Meta tensors", "register_meta")
_NO_NUMBERS_TO_COPY = "copy out of meta"
_NO_ARRAY = "meta device type tensor to numpy"
_MIXED = re.compile("expected device|same device", re.IGNORECASE)
_META = '("meta" is a device without memory: whoever respects it respects a graphics card too.)'


def expect_on_meta(
    call: Callable[[], Any], argument: str, reading: bool = True, copying: bool = False
) -> None:
    """State that what comes back is on the device of what the caller passes.

    Args:
        call: passes tensors on the device meta.
        argument: what is on that device, as the student calls it.
        reading: whether a line may look at numbers: then it is no fault, only impossible without
            memory.
        copying: whether numbers may go through a list on the way.
    """
    wanted = "a tensor on device meta"
    try:
        result = call()
    except StudentError as error:
        copies = _NO_NUMBERS_TO_COPY in error.message
        reads = any(text in error.message for text in NO_NUMBERS_TO_READ)
        if (reads and reading) or (copies and copying):
            return
        if reads:
            says = (
                "Some line reads a tensor's value: everything would wait there for a graphics card."
            )
        elif copies or _NO_ARRAY in error.message:
            says = "Numbers go to the CPU on the way, as lists and NumPy have it. Which step is it?"
        elif _MIXED.search(error.message):
            says = f"You make something on the CPU, and `{argument}` is on another device. {_META}"
        else:
            raise
        raise Mismatch(str(error), wanted, says) from None
    for one in result if isinstance(result, (tuple, list)) else (result,):
        if not isinstance(one, Tensor) or one.device.type != "meta":
            where = str(one.device) if isinstance(one, Tensor) else "no tensor"
            says = f"`{argument}` is on another device than your result. {_META}"
            raise Mismatch(where, wanted, says)


def expect_gradients(found: Gradients, *names: str, parameters: tuple[str, ...] = ()) -> None:
    """State that a gradient that is not all zeros comes back to these arguments and parameters.

    Args:
        found: what came back.
        names: of the arguments, in their order.
        parameters: of a module's parameters.
    """
    came = [*zip(names, found.inputs, strict=False)]
    came += [(name, found.parameters.get(name)) for name in parameters]
    cut = [f"`{name}`" for name, one in came if one is None or not bool(torch.any(one != 0))]
    if cut:
        says = f"What comes out is cut off from {_listed(cut)}, which could not learn. Where?"
        raise Mismatch(f"no gradient for {_listed(cut)}", "a gradient for each", says)


def _listed(names: list[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
