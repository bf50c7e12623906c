"""Hidden graders of 03-causal-masking: causal_mask."""

from typing import Any

import pytest
import torch
from torch import Tensor

from autograder.checks.errors import MissingName, StudentError
from autograder.judging import Wrong, assert_matches, exercise, probe
from autograder.judging.devices import ELSEWHERE, ON_THE_CPU, VALUE_READ, kind_of
from autograder.judging.draw import Draw
from autograder.judging.registry import Observations
from autograder.judging.symptoms import of_shape
from solutions import causal_masking as reference

# Lengths that are drawn here are none that the notebook and its checks show: 1, 3, 4 and 6.


@exercise("causal_mask")
@pytest.mark.points(2)
@pytest.mark.devices("cpu", "cuda")
def test_no_position_attends_to_a_later_one(student: Any, device: str, draw: Draw) -> None:
    """Row i allows no key after i, and still allows something."""
    allowed = _allowed(student, draw.integer(7, 10), device)
    if not bool(allowed.any()):
        raise Wrong("Your mask allows nothing at all.")
    if bool(allowed.triu(1).any()):
        raise Wrong("Some row allows a key that comes later than its query.")


@exercise("causal_mask")
@pytest.mark.points(2)
def test_every_position_attends_to_all_before_it(student: Any, draw: Draw) -> None:
    """Row i allows all keys before i, and not every key."""
    size = draw.integer(7, 9)
    allowed = _allowed(student, size)
    if bool(allowed.all()):
        raise Wrong("Your mask allows everything.")
    if not bool(allowed.tril(-1).sum() == size * (size - 1) // 2):
        raise Wrong("Some row forbids a key that comes earlier than its query.")


@exercise("causal_mask")
@pytest.mark.points(1)
def test_every_position_attends_to_itself(student: Any, draw: Draw) -> None:
    """Row i allows key i, and not every key."""
    allowed = _allowed(student, draw.integer(8, 11))
    if bool(allowed.all()):
        raise Wrong("Your mask allows everything.")
    if not bool(allowed.diagonal().all()):
        raise Wrong("Some position may not attend to itself.")


@exercise("causal_mask")
@pytest.mark.points(1)
def test_the_mask_is_made_for_any_length(student: Any, draw: Draw) -> None:
    """Any length gives a square mask of that length, a single position and hundreds too."""
    for size in (1, draw.integer(11, 19), draw.integer(530, 590)):
        mask = student.causal_mask(size)
        assert_matches(_as_allowed(mask), reference.causal_mask(size))


@exercise("causal_mask")
@pytest.mark.points(1)
def test_the_mask_holds_true_and_false(student: Any, draw: Draw) -> None:
    """The mask has two axes and dtype bool."""
    size = draw.integer(7, 10)
    assert_matches(student.causal_mask(size), reference.causal_mask(size))


@exercise("causal_mask")
@pytest.mark.points(1)
def test_the_device_asked_for_is_obeyed(student: Any, draw: Draw) -> None:
    """`device` is obeyed: the mask is made there."""
    size = draw.integer(5, 9)
    student.causal_mask(size)  # a mask kept from this call is on another device
    for device in ("meta", torch.device("meta")):
        try:
            mask = student.causal_mask(size, device=device)
        except MissingName:
            raise
        except StudentError as error:
            if kind_of(error) == VALUE_READ:  # which runs on every real device
                continue
            if kind_of(error) in ELSEWHERE:
                raise Wrong(ON_THE_CPU) from None
            raise
        if not isinstance(mask, Tensor) or not mask.is_meta:
            raise Wrong("Your mask is not on the device that was asked for.")


@probe("causal_mask")
def observe_causal_mask(student: Any) -> Observations:
    """The mask of fixed lengths: what it allows, what it is made of, where it is."""

    def kind() -> object:
        mask = student.causal_mask(4)
        if not isinstance(mask, Tensor):
            return type(mask).__name__
        if mask.dtype is torch.bool:
            return "bool"
        return ("float" if mask.is_floating_point() else "int"), bool((mask < 0).any())

    def pattern(size: int) -> object:
        mask = student.causal_mask(size)
        return mask != 0 if isinstance(mask, Tensor) else torch.as_tensor(mask) != 0

    def device(size: int) -> object:
        mask = student.causal_mask(size, device="meta")
        return mask.device.type if isinstance(mask, Tensor) else None

    return {
        "kind": kind,
        "one": lambda: pattern(1),
        "four": lambda: pattern(4),
        "seven": lambda: pattern(7),
        "twelve": lambda: pattern(12),
        "long": lambda: pattern(300),
        "device": lambda: device(23),  # a length of its own, so that nothing is kept of it
        "device, after the CPU": lambda: (student.causal_mask(4), device(4))[1],
    }


def _allowed(student: Any, size: int, device: str = "cpu") -> Tensor:
    """What the student's mask allows, whatever dtype it has: dtype has a test of its own."""
    mask = (
        student.causal_mask(size) if device == "cpu" else student.causal_mask(size, device=device)
    )
    allowed = _as_allowed(mask)
    if not isinstance(allowed, Tensor) or allowed.device.type != device:
        assert_matches(allowed, reference.causal_mask(size, device))
    assert isinstance(allowed, Tensor)
    if allowed.shape != (size, size):
        raise Wrong(
            f"Your mask has the wrong shape: {of_shape(tuple(allowed.shape), (size, size))}."
        )
    return allowed.cpu()


def _as_allowed(mask: object) -> object:
    """A mask of ones and zeros as a boolean one, without leading axes of length one."""
    if not isinstance(mask, Tensor) or mask.is_meta:
        return mask
    while mask.ndim > 2 and mask.shape[0] == 1:
        mask = mask[0]
    if not bool(((mask == 0) | (mask == 1)).all()):
        raise Wrong("Your mask holds numbers where True and False were promised.")
    return mask.bool()
