"""Attention promises two results, an output and weights: each is held to the reference's own."""

from collections.abc import Callable
from typing import Any

from torch import Tensor

from autograder.judging import Expected, Wrong, assert_matches, expected
from autograder.judging.properties import assert_varied
from autograder.judging.symptoms import of_shape

NEARLY = 0.01  # how exact the output is has a test of its own

Reference = Callable[..., Any]


def output_of(found: object) -> Any:
    """The output among what came back.

    Code that returns the output alone, or after the weights, has one mistake, which the tests of
    the weights and of their order charge.
    """
    if not isinstance(found, tuple | list) or not found:
        return found
    return found[1 if _weights_stand_first(found) else 0]


def weights_in(found: object) -> Any:
    """The weights among what came back.

    Raises:
        Wrong: two values were promised, and something else came back.
    """
    second = second_of(found)
    return found[0] if isinstance(found, tuple | list) and _weights_stand_first(found) else second


def second_of(found: object) -> Any:
    """The second of the two values that came back.

    Raises:
        Wrong: two values were promised, and something else came back.
    """
    if not isinstance(found, tuple | list) or len(found) != 2:
        raise Wrong("Two values were promised: the output, and then the weights.")
    return found[1]


def _weights_stand_first(found: tuple[object, ...] | list[object]) -> bool:
    return len(found) == 2 and _are_weights(found[0]) and not _are_weights(found[1])


def _are_weights(result: object) -> bool:
    """Whether every row is of shares of 1, which the outputs of random values are not."""
    if not isinstance(result, Tensor) or result.is_meta or not result.is_floating_point():
        return False
    rows = result.detach().double()
    return bool((rows >= 0).all() and ((rows.sum(-1) - 1).abs() < NEARLY).all())


def expected_part(part: int, reference: Reference, *args: Any) -> Expected:
    """What the reference gives as its output (part 0) or as its weights (part 1)."""
    wanted = expected(reference, *args)
    assert isinstance(wanted.plain, tuple)
    assert isinstance(wanted.exact, tuple)
    return Expected(wanted.plain[part], wanted.exact[part])


def assert_output_right(found: object, reference: Reference, *args: Any) -> None:
    """Check the output among what came back."""
    assert_matches(output_of(found), expected_part(0, reference, *args))


def assert_weights_right(found: object, reference: Reference, *args: Any) -> None:
    """Check the weights among what came back."""
    wanted = expected_part(1, reference, *args)
    assert_matches(weights_in(found), wanted, "the second value you return")


def assert_weights_shaped(found: object, shape: tuple[int, ...]) -> None:
    """Check the shape of the weights among what came back, and not their values."""
    weights = weights_in(found)
    if isinstance(weights, Tensor) and weights.shape != shape:
        raise Wrong(f"Your weights have the wrong shape: {of_shape(tuple(weights.shape), shape)}.")


def assert_forbidden_are_zero(weights: object, mask: Tensor, like: Tensor) -> None:
    """Refuse weights that are not exactly 0 where the mask forbids."""
    assert_varied(weights, like)
    assert isinstance(weights, Tensor)
    if bool((weights[~mask.expand(weights.shape)] != 0).any()):
        raise Wrong("A weight that the mask forbids is not exactly zero.")


def assert_weights_make_output(found: Any, v: Tensor, like: Tensor) -> None:
    """Check that the second value is the weights by which the output averages the values.

    Whether they are the right weights has tests of its own.

    Args:
        found: what came back.
        v: the values, (..., keys, d_v).
        like: something of the shape that was promised of the weights, (..., queries, keys).
    """
    weights, output = second_of(found), found[0]
    assert_varied(weights, like)
    assert_varied(output, like.new_empty(*like.shape[:-1], v.shape[-1]))
    average = weights.to(v.dtype) @ v
    if not bool((output - average).abs().max() <= NEARLY * average.abs().max()):
        raise Wrong("Your output is not the average of the values by the weights that you return.")
