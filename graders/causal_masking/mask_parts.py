"""What the graders of masks share: reading a mask, where it is, masks at random, refusals."""

import builtins
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.checks.kit.errors import MissingName, StudentError
from autograder.judging import Wrong, assert_matches
from autograder.judging.draw import Draw
from autograder.judging.symptoms import of_shape
from autograder.tensors.devices import COPIED, VALUE_READ, kind_of
from autograder.tensors.fresh import made_on

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


def assert_on_the_default_device(student: Any, name: str, *arguments: object) -> None:
    """Refuse a mask that is not on torch's default device, where nothing names another.

    Whoever reads a value back, or copies one to the CPU, stops here, and runs on every real device.
    """
    try:
        device = made_on(student, name, "meta", *arguments)
    except MissingName:
        raise
    except StudentError as error:
        if kind_of(error) in (VALUE_READ, COPIED):
            return
        raise
    if device is None:
        raise Wrong("Your code gives back no tensor.")
    if device != "meta":
        raise Wrong("Your mask is not on torch's default device.")


def mixed_mask(draw: Draw, *shape: int) -> Tensor:
    """A mask at random; every row allows at least one key and forbids at least one.

    Of several rows, one at least allows each key, so that what a wrong answer makes of a key that
    nobody sees is no matter of luck.
    """
    while True:
        noise = draw.normal(*shape)
        lowest, highest = noise.amin(-1, keepdim=True), noise.amax(-1, keepdim=True)
        allowed: Tensor = ((noise > 0) | (noise == highest)) & (noise != lowest)
        if len(shape) < 2 or shape[-2] == 1:
            return allowed
        others = noise.masked_fill(noise == lowest, -torch.inf)
        best = (others == others.amax(-2, keepdim=True)) & others.isfinite()
        allowed |= best & ~allowed.any(-2, keepdim=True)
        if bool(allowed.any(-2).all()):
            return allowed


def padding_of_their_own(draw: Draw, batch: int, seq: int) -> Tensor:
    """Padding at random, (batch, seq), key 0 always real: each text hides a key that no other does.

    That key has a real one behind it, so that no text is padded at its end alone.
    """
    padding = mixed_mask(draw, batch, seq)
    first = draw.integer(1, 2)
    hidden = torch.arange(first, first + batch)
    padding[:, 0] = padding[:, -1] = True
    padding[:, hidden] = ~torch.eye(batch, dtype=torch.bool)
    return padding


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
    """What a mask of any type allows: where it is not 0, or is, where it would be added."""
    found = mask if isinstance(mask, Tensor) else torch.as_tensor(mask)
    return found == 0 if bool((found < 0).any()) else found != 0
