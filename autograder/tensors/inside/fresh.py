"""Runs on inputs that are drawn as each run begins, and other ways to run code than to call it.

The speed of code is told by such inputs. Nobody knows one before its run, and what comes back rests
on every number of every output: who has the answer has done the work. So it does not matter that
all of this is in reach of the code.
"""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

Call = Callable[..., Any]


def run_fresh(
    call: Call,
    shape: Sequence[int],
    dtype: torch.dtype,
    device: str,
    seeds: Sequence[int],
    inputs: int,
    options: dict[str, Any],
) -> Tensor:
    """What comes out for inputs drawn from seeds, seen from directions drawn after them.

    Args:
        call: takes inputs (batch, ...) and gives an output of the same shape.
        shape: of the inputs.
        dtype: of the inputs.
        device: where they are drawn.
        seeds: one a run.
        inputs: how many each call takes.
        options: keyword arguments of every call.

    Returns:
        (runs, 2, batch) in float32 on the CPU: each output's product with its direction, and its
        length.

    Raises:
        TypeError: an output is of another form than its input.
    """
    found = []
    with torch.no_grad():
        for seed in seeds:
            generator = torch.Generator(device).manual_seed(seed)
            *given, direction = (
                torch.randn(shape, dtype=dtype, device=device, generator=generator)
                for _ in range(inputs + 1)
            )
            result = call(*given, **options)
            if not isinstance(result, Tensor) or result.shape != direction.shape:
                raise TypeError("what came out is not of the form of what went in")
            wide = result.float().flatten(1)
            found.append(torch.stack([(wide * direction.flatten(1)).sum(1), wide.norm(dim=1)]))
    return torch.stack(found).cpu()


def count_waits(call: Call, x: Tensor, options: dict[str, Any]) -> int:
    """How often a call waits until a GPU has done all that it was asked, as PyTorch counts it."""
    call(x, **options)  # a first call may set something up
    torch.cuda.synchronize()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        torch.cuda.set_sync_debug_mode("warn")
        try:
            call(x, **options)
        finally:
            torch.cuda.set_sync_debug_mode("default")
    return sum("called a synchronizing" in str(one.message) for one in warned)


def in_one_graph(call: Call, x: Tensor, options: dict[str, Any]) -> Any:
    """What a call gives when PyTorch's compiler has taken it as one graph; nothing is generated.

    Raises:
        Exception: of the compiler's, where it cannot.
    """
    return torch.compile(call, fullgraph=True, backend="eager")(x, **options)


def device_made_on(call: Call, *given: Any) -> str | None:
    """The kind of device that a call's tensor is on where torch's default device is another.

    Args:
        call: what is called.
        given: its arguments, and last the default device.

    Returns:
        such as "meta"; None where no tensor comes back.
    """
    *arguments, default = given
    with torch.device(default):
        found = call(*arguments)
    return found.device.type if isinstance(found, Tensor) else None


def gradients_left(module: torch.nn.Module) -> dict[str, Tensor]:
    """The gradients that a module's parameters hold, by their names; none of those without one."""
    named = module.named_parameters()
    return {name: one.grad.detach() for name, one in named if one.grad is not None}
