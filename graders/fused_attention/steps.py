"""Decoding with a student's decode_step, one token after the other."""

from typing import Any

import torch
from torch import Tensor, nn

from autograder.judging import Expected, Wrong, expected
from autograder.judging.symptoms import of_type
from graders.modules import form

Cache = tuple[Tensor, Tensor]


def step(student: Any, module: Any, token: Tensor, cache: Any = None) -> tuple[Tensor, Any]:
    """One step: its output and the cache that comes back.

    Raises:
        Wrong: something else than two values comes back, or the first is no tensor.
    """
    result = (
        student.decode_step(module, token)
        if cache is None
        else student.decode_step(module, token, cache)
    )
    if not isinstance(result, tuple | list) or len(result) != 2:
        raise Wrong("Your function should give back two values: the output and the cache.")
    if not isinstance(result[0], Tensor):
        raise Wrong(f"The output of a step is {of_type(result[0])}; a tensor was promised.")
    return result[0], result[1]


def decoded(student: Any, module: Any, x: Tensor) -> Tensor:
    """The outputs of all steps, one after the other.

    Raises:
        Wrong: a step does not give one vector a sequence.
    """
    outputs, cache = [], None
    for now in range(x.shape[1]):
        token = x[:, now : now + 1]
        y, cache = step(student, module, token, cache)
        if form(y) != form(token):
            raise Wrong("A step does not give one vector for each sequence, as the token is.")
        outputs.append(y)
    return torch.cat(outputs, dim=1)


def last_cache(student: Any, module: Any, x: Tensor) -> Any:
    """The cache after all steps.

    Raises:
        Wrong: it is no pair of tensors, or of others than the tokens are.
    """
    cache: Any = None
    for now in range(x.shape[1]):
        _, cache = step(student, module, x[:, now : now + 1], cache)
    assert_a_pair(cache)
    if any((part.dtype, part.device) != (x.dtype, x.device) for part in cache):
        raise Wrong("Your cache has another dtype or device than the tokens.")
    return cache


def assert_a_pair(cache: object, shape: tuple[int, ...] | None = None) -> None:
    """Refuse a cache that is no pair of tensors, or not of the shape that is due."""
    pair = isinstance(cache, tuple | list) and len(cache) == 2
    if not pair or not all(isinstance(part, Tensor) for part in cache):  # type: ignore[attr-defined]
        raise Wrong("The cache is not a pair of tensors: keys and values.")
    if shape is not None and any(tuple(part.shape) != shape for part in cache):  # type: ignore[attr-defined]
        raise Wrong("The parts of the cache are not (batch, heads, steps, d_head), a step longer.")


def causal_pass(reference: nn.Module, x: Tensor) -> Expected:
    """What the reference module gives for all tokens at once."""
    return expected(reference, x, is_causal=True)
