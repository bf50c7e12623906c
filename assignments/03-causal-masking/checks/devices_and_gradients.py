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
_MIXED = re.compile("expected device|same device", re.IGNORECASE)
_META = '("meta" is a device without memory: whoever respects it respects a graphics card too.)'


def expect_on_meta(call: Callable[[], Any], argument: str, reading: bool = True) -> None:
    """State that what comes back is on the device of what the caller passes.

    Args:
        call: passes tensors on the device meta.
        argument: what is on that device, as the student calls it.
        reading: whether a line may look at numbers: then it is no fault, only impossible without
            memory.
    """
    wanted = "a tensor on device meta"
    try:
        result = call()
    except StudentError as error:
        if any(text in error.message for text in (*NO_NUMBERS_TO_READ, _NO_NUMBERS_TO_COPY)):
            if reading:
                return
            says = "Some line reads a tensor's value, for which a graphics card has to be waited."
            raise Mismatch(str(error), wanted, says) from None
        if not _MIXED.search(error.message):
            raise
        says = f"You make something on the CPU, and `{argument}` is on another device. {_META}"
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
