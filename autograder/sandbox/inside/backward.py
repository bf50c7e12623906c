"""One forward and one backward pass through a student's function or module."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn


def pull_back(
    call: Callable[..., Any], args: list[Any], kwargs: dict[str, Any], upstream: Tensor
) -> tuple[Any, list[Tensor | None], dict[str, Tensor | None]]:
    """Call it, then pull the cotangent of its first floating-point output back.

    Returns:
        the value; a gradient for each positional argument, None where there is none; a gradient for
        each parameter by name, when it is a module.
    """
    leaves = [_leaf(argument) for argument in args]
    # What is passed is no leaf itself, so that code that works in place still runs.
    passed = [a if leaf is None else leaf.clone() for leaf, a in zip(leaves, args, strict=True)]
    value = call(*passed, **kwargs)
    parameters = dict(call.named_parameters()) if isinstance(call, nn.Module) else {}
    found = _gradients(_first_floating(value), [*leaves, *parameters.values()], upstream)
    return value, found[: len(leaves)], dict(zip(parameters, found[len(leaves) :], strict=True))


def _leaf(value: Any) -> Tensor | None:
    if isinstance(value, Tensor) and value.is_floating_point():
        return value.detach().clone().requires_grad_()
    return None


def _first_floating(value: Any) -> Tensor | None:
    for item in value if isinstance(value, tuple | list) else (value,):
        if isinstance(item, Tensor) and item.is_floating_point():
            return item
    return None


def _gradients(
    output: Tensor | None, sources: list[Tensor | None], upstream: Tensor
) -> list[Tensor | None]:
    wanted = [one for one in sources if one is not None and one.requires_grad]
    if output is None or not output.requires_grad or not wanted:
        return [None] * len(sources)
    found = iter(torch.autograd.grad(output, wanted, upstream.to(output), allow_unused=True))
    return [next(found) if one is not None and one.requires_grad else None for one in sources]
