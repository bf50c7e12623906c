"""One forward and one backward pass through a student's function or module."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn


def pull_back(
    call: Callable[..., Any],
    args: Sequence[Any],
    upstream: Tensor | tuple[Tensor | None, ...],
    module: nn.Module | None = None,
) -> tuple[Any, tuple[Tensor | None, ...], dict[str, Tensor | None]]:
    """Call it, then pull the cotangents of its floating-point outputs back.

    Args:
        call: what is called.
        args: what it is called with; gradients are taken for the floating tensors.
        upstream: the cotangent of the first output; or a tuple of one for each, None to skip one.
        module: the module that is called, for the gradients of its parameters; None for a function.
    Returns:
        the value; a gradient for each argument, None where there is none; a gradient for each
        parameter by name.
    """
    leaves = [_leaf(argument) for argument in args]
    # What is passed is no leaf itself, so that code that works in place still runs.
    passed = [a if leaf is None else leaf.clone() for leaf, a in zip(leaves, args, strict=True)]
    with torch.enable_grad():
        value = call(*passed)
        parameters = dict(module.named_parameters()) if module is not None else {}
        found = _gradients(_paired(value, upstream), [*leaves, *parameters.values()])
    of_args = tuple(found[: len(leaves)])
    return value, of_args, dict(zip(parameters, found[len(leaves) :], strict=True))


def _leaf(value: Any) -> Tensor | None:
    if isinstance(value, Tensor) and value.is_floating_point():
        return value.detach().clone().requires_grad_()
    return None


def _paired(
    value: Any, upstream: Tensor | tuple[Tensor | None, ...]
) -> list[tuple[Tensor, Tensor]]:
    """The outputs that pass a gradient on, each with its cotangent."""
    items = value if isinstance(value, tuple | list) else (value,)
    outputs = [one for one in items if isinstance(one, Tensor) and one.is_floating_point()]
    if isinstance(upstream, Tensor):
        outputs, upstream = outputs[:1], (upstream,) * len(outputs[:1])
    if len(outputs) != len(upstream):
        raise ValueError(f"{len(outputs)} floating-point tensors returned, not {len(upstream)}")
    pairs = zip(outputs, upstream, strict=True)
    return [(one, up.to(one)) for one, up in pairs if up is not None and one.requires_grad]


def _gradients(
    pairs: list[tuple[Tensor, Tensor]], sources: list[Tensor | None]
) -> list[Tensor | None]:
    wanted = [one for one in sources if one is not None and one.requires_grad]
    if not pairs or not wanted:
        return [None] * len(sources)
    outputs, cotangents = zip(*pairs, strict=True)
    found = iter(torch.autograd.grad(outputs, wanted, cotangents, allow_unused=True))
    return [next(found) if one is not None and one.requires_grad else None for one in sources]
