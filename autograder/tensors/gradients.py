"""Holds the gradients of an answer to those of the reference."""

import inspect
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from autograder.checks.kit.errors import Gradients
from autograder.judging.assertions import Wrong, assert_close, assert_form
from autograder.judging.tolerance import GRADIENT_FLOOR_FACTOR, bound, largest, widened


def assert_gradients_match(
    actual: Gradients,
    reference: Callable[..., Any],
    *args: Any,
    upstream: Tensor | tuple[Tensor | None, ...],
    **kwargs: Any,
) -> None:
    """Check the gradients of inputs and parameters against the reference's.

    Args:
        actual: what `student.grad` gave for the same arguments.
        reference: the trusted function or module.
        args: the inputs of the call.
        upstream: the cotangent that was pulled back; or a tuple of one for each output.
        kwargs: its keyword arguments.

    Raises:
        Wrong: a gradient is missing or differs.
    """
    plain = _gradients(reference, args, kwargs, upstream)
    wide = {name: widened(value) for name, value in kwargs.items()}
    exact = _gradients(widened(reference), widened(args), wide, widened(upstream))
    seen = dict(zip(_names(reference, args), actual.inputs, strict=True)) | actual.parameters
    # One scale for all: a gradient that is zero in theory (a key bias) is rounding noise in
    # practice.
    scale = max(largest(gradient) for gradient in exact.values())
    for name, gradient in exact.items():
        what = f"the gradient with respect to `{name}`"
        found = seen.get(name)
        if found is None:
            raise Wrong(f"No gradient reaches `{name}`: something cuts your result off from it.")
        assert_form(found, plain[name], what)
        allowed = bound(plain[name], gradient, scale, GRADIENT_FLOOR_FACTOR)
        assert_close(found, gradient, allowed, what, "gradients")


def _gradients(
    reference: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    upstream: Tensor | tuple[Tensor | None, ...],
) -> dict[str, Tensor]:
    """The reference's gradients by name, those that nothing reaches left out."""
    leaves = [_leaf(arg) for arg in args]
    given = [arg if leaf is None else leaf for arg, leaf in zip(args, leaves, strict=True)]
    sources = {
        name: leaf
        for name, leaf in zip(_names(reference, args), leaves, strict=True)
        if leaf is not None
    }
    if isinstance(reference, nn.Module):
        sources |= dict(reference.named_parameters())
    with torch.enable_grad():
        result = reference(*given, **kwargs)
        several = result if isinstance(result, tuple) else (result,)
        outputs = [one for one in several if one.is_floating_point()]
        if isinstance(upstream, Tensor):
            outputs, upstream = outputs[:1], (upstream,)
        pairs = [(o, up) for o, up in zip(outputs, upstream, strict=True) if up is not None]
        pulled, cotangents = zip(*pairs, strict=True)
        found = torch.autograd.grad(pulled, [*sources.values()], cotangents, allow_unused=True)
    return {
        name: gradient
        for name, gradient in zip(sources, found, strict=True)
        if gradient is not None
    }


def _leaf(value: object) -> Tensor | None:
    if isinstance(value, Tensor) and value.is_floating_point():
        return value.detach().clone().requires_grad_()
    return None


def _names(reference: Callable[..., Any], args: tuple[Any, ...]) -> list[str]:
    function = reference.forward if isinstance(reference, nn.Module) else reference
    return list(inspect.signature(function).parameters)[: len(args)]
