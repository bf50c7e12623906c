"""What the graders of masks share: reading a mask of any dtype, masks at random, refusals."""

import builtins
from collections.abc import Callable

import torch
from torch import Tensor

from autograder.checks.kit.errors import MissingName, StudentError
from autograder.judging import Wrong, assert_matches
from autograder.judging.draw import Draw
from autograder.judging.symptoms import of_shape

OTHER_ERROR = "Numbers that do not fit raise another error than ValueError."
NUMBERS_LEFT_OUT = "The error's text does not name both numbers."
ACCEPTED = "Numbers that do not fit are accepted in silence."


def allowed_of(mask: object, wanted: Tensor) -> Tensor:
    """What a mask allows, whatever dtype it has: dtype has a test of its own.

    Args:
        mask: what the student's code returned.
        wanted: the right mask; gives shape and device.
    """
    allowed = as_allowed(mask, wanted.ndim)
    if not isinstance(allowed, Tensor) or allowed.device.type != wanted.device.type:
        assert_matches(allowed, wanted)
    assert isinstance(allowed, Tensor)
    if allowed.shape != wanted.shape:
        words = of_shape(tuple(allowed.shape), tuple(wanted.shape))
        raise Wrong(f"Your mask has the wrong shape: {words}.")
    return allowed.cpu()


def assert_allows(mask: object, wanted: Tensor) -> None:
    """Check what a mask allows, whatever dtype it has."""
    assert_matches(allowed_of(mask, wanted), wanted.cpu(), "your mask")


def assert_true_and_false(mask: object, wanted: Tensor) -> None:
    """Check axes and dtype of a mask, and that it says something: what is said elsewhere."""
    if not isinstance(mask, Tensor) or (mask.ndim, mask.dtype) != (wanted.ndim, wanted.dtype):
        assert_matches(mask, wanted, "your mask")
    assert isinstance(mask, Tensor)
    if wanted.any() != wanted.all() and mask.any() == mask.all():
        raise Wrong("Your mask is the same everywhere.")


def as_allowed(mask: object, ndim: int) -> object:
    """A mask of ones and zeros as a boolean one, without leading axes of length one."""
    if not isinstance(mask, Tensor) or mask.is_meta:
        return mask
    while mask.ndim > ndim and mask.shape[0] == 1:
        mask = mask[0]
    if not bool(((mask == 0) | (mask == 1)).all()):
        raise Wrong("Your mask holds numbers where True and False were promised.")
    return mask.bool()


def mixed_mask(draw: Draw, *shape: int) -> Tensor:
    """A mask at random; every row allows at least one key and forbids at least one."""
    noise = draw.normal(*shape)
    lowest, highest = noise.amin(-1, keepdim=True), noise.amax(-1, keepdim=True)
    return ((noise > 0) | (noise == highest)) & (noise != lowest)


def largest_after(now: int, *tokens: Tensor) -> tuple[Tensor, ...]:
    """The same queries, keys and values up to `now`, and a future as large as float32 allows.

    Its keys make scores of the past infinite or NaN. Its queries are 0, so that whoever sees that
    future gets finite numbers.
    """
    later = tuple(3e38 * part.sign() for part in tokens)
    later[0].zero_()
    for part, own in zip(later, tokens, strict=True):
        part[..., :now, :] = own[..., :now, :]
    return later


def assert_refused(call: Callable[[], object], numbers: tuple[int, int]) -> None:
    """Refuse a call that does not raise ValueError, or whose error leaves out a number."""
    try:
        call()
    except MissingName:
        raise
    except StudentError as error:
        if not issubclass(getattr(builtins, error.builtin, Exception), ValueError):
            raise Wrong(OTHER_ERROR) from None
        if not all(str(number) in error.message for number in numbers):
            raise Wrong(NUMBERS_LEFT_OUT) from None
        return
    raise Wrong(ACCEPTED)


def refusal(call: Callable[[], object], numbers: tuple[int, int]) -> str:
    """How a call with numbers that do not fit is refused, for a probe."""
    try:
        assert_refused(call, numbers)
    except Wrong as wrong:
        return wrong.symptom
    return "refused"


def kind_of_mask(mask: object) -> object:
    """What a mask is made of: its type, whether it is boolean, whether it holds a negative."""
    if not isinstance(mask, Tensor):
        return type(mask).__name__
    if mask.dtype is torch.bool:
        return "bool", mask.ndim
    return "float" if mask.is_floating_point() else "int", bool((mask < 0).any()), mask.ndim


def pattern_of(mask: object) -> object:
    """Where a mask of any type is not zero."""
    return mask != 0 if isinstance(mask, Tensor) else torch.as_tensor(mask) != 0
