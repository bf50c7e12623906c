"""Compares a student's result with the reference's, and says in words what differs."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from autograder.checks.kit.errors import Gradients, MissingName, StudentError
from autograder.judging import symptoms
from autograder.judging.forms import form_of
from autograder.judging.symptoms import capitalized
from autograder.judging.tolerance import (
    GRADIENT_FLOOR_FACTOR,
    Expected,
    Kind,
    Value,
    as_tensor,
    bound,
    compared,
    largest,
    number_of,
    widened,
)


class Wrong(AssertionError):
    """Something about an answer is wrong.

    Attributes:
        symptom: what is seen, a sentence to the student; tells no hidden input and no hidden value.
        misconception: slug of the known mistake, when the test itself is sure of it.
    """

    def __init__(self, symptom: str, misconception: str | None = None) -> None:
        super().__init__(symptom)
        self.symptom = symptom
        self.misconception = misconception


@contextmanager
def sure_of(misconception: str) -> Iterator[None]:
    """Name what is wrong inside, for answers that are right in all that a probe sees.

    Args:
        misconception: the mistake's slug.
    """
    try:
        yield
    except Wrong as wrong:
        raise Wrong(wrong.symptom, misconception) from None
    except MissingName:
        raise
    except StudentError as error:
        raise Wrong(symptoms.of_error(error.builtin, error.message), misconception) from None


def assert_matches(actual: object, wanted: Expected | Value, what: str = "your result") -> None:
    """Check type, device, shape, dtype and values.

    Args:
        actual: what the student's code returned.
        wanted: what the reference returns; a bare tensor or array counts as exact.
        what: how to call the result in a symptom.

    Raises:
        Wrong: something differs.
    """
    if not isinstance(wanted, Expected):
        wanted = Expected(wanted, wanted)
    if not isinstance(wanted.plain, tuple):
        return _assert_one(actual, wanted.plain, wanted.exact, what)
    assert isinstance(wanted.exact, tuple)
    if not isinstance(actual, tuple | list):
        raise Wrong(f"A tuple was promised; {what} is {symptoms.of_type(actual)}.")
    if len(actual) != len(wanted.plain):
        raise Wrong(f"{capitalized(what)} holds another number of values than was promised.")
    parts = zip(symptoms.places(), actual, wanted.plain, wanted.exact, strict=False)
    for place, part, plain, exact in parts:
        assert_matches(part, Expected(plain, exact), place)


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
        _assert_form(found, plain[name], what)
        allowed = bound(plain[name].cpu(), gradient, scale, GRADIENT_FLOOR_FACTOR)
        _assert_close(as_tensor(found), gradient, allowed, what, "gradients")


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


def _assert_one(actual: object, plain: Value, exact: Value, what: str) -> None:
    if isinstance(plain, float | np.floating):
        return _assert_number(actual, plain, exact, what)
    if not isinstance(plain, Tensor | np.ndarray):
        if type(actual) is not type(plain) or actual != plain:
            raise Wrong(f"{capitalized(what)} is not what was promised.")
        return
    assert isinstance(exact, Tensor | np.ndarray)
    _assert_form(actual, plain, what)
    assert isinstance(actual, Tensor | np.ndarray)
    if isinstance(plain, Tensor) and plain.is_meta:
        return
    found, right = as_tensor(actual), as_tensor(exact)
    if right.is_floating_point():
        _assert_close(found, right, bound(as_tensor(plain), right), what)
    elif not torch.equal(found, right):
        words = symptoms.of_allowed if right.dtype is torch.bool else symptoms.of_integers
        raise Wrong(f"{capitalized(what)} is wrong: {words(found, right)}.")


def _assert_number(actual: object, plain: Value, exact: Value, what: str) -> None:
    """Check one number, which may be Python's or NumPy's, of any dtype."""
    found, right, rounded = number_of(actual), number_of(exact), number_of(plain)
    assert right is not None
    assert rounded is not None
    if found is None:
        raise Wrong(f"{capitalized(what)} is {symptoms.of_type(actual)}; a number was promised.")
    right = right.double()
    if compared(found, right, bound(rounded, right)) > 1:
        words = symptoms.of_number(float(found), float(right))
        raise Wrong(f"{capitalized(what)} is wrong: {words}.")


def _assert_form(actual: object, plain: Tensor | np.ndarray, what: str) -> None:
    """Check all but the values."""
    differs = symptoms.of_form(actual, form_of(plain), what)
    if differs is not None:
        raise Wrong(differs)


def _assert_close(
    actual: Tensor, exact: Tensor, allowed: float, what: str, kind: Kind = "values"
) -> None:
    if compared(actual, exact, allowed, kind) > 1:
        words = symptoms.of_values(actual.double(), exact, allowed)
        half = {torch.float16: " in float16", torch.bfloat16: " in bfloat16"}.get(actual.dtype, "")
        raise Wrong(f"{capitalized(what)} is wrong{half}: {words}.")
