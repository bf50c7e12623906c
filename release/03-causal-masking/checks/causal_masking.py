"""Visible checks of 03-causal-masking."""

import numpy as np
import torch
from torch import Tensor

from .errors import StudentError
from .examples import example
from .expectation import Mismatch, exercise, expect, same
from .local_student import LocalStudent
from .pictures import AllowedGrid

_TOKENS = ("The", "cat", "sat", "on", "the", "mat")
_NO_NUMBERS_TO_READ = ("cannot be called on meta tensors", "with Meta tensors", "register_meta")


@example("causal_mask", picture=AllowedGrid("causal_mask(6)", queries=_TOKENS, keys=_TOKENS))
def mask_of_six_tokens(student: LocalStudent) -> Tensor:
    """The mask of a sentence of six tokens."""
    mask: Tensor = student.causal_mask(6)
    return mask


@exercise("causal_mask")
def test_three_positions(student: LocalStudent) -> None:
    """Three positions: row 0 allows key 0, row 1 keys 0 and 1, row 2 all three."""
    wanted = torch.tensor([[True, False, False], [True, True, False], [True, True, True]])
    expect(student.causal_mask(3), wanted, "(queries, keys)", _what_is_special)


@exercise("causal_mask")
def test_one_position(student: LocalStudent) -> None:
    """A single position may attend to itself."""
    wanted = torch.tensor([[True]])
    expect(student.causal_mask(1), wanted, "(queries, keys)", _what_is_special)


@exercise("causal_mask")
def test_the_mask_is_made_on_the_device_asked_for(student: LocalStudent) -> None:
    """The mask is made on the device that the caller names."""
    try:
        mask = student.causal_mask(4, device="meta")
    except StudentError as error:
        if not any(text in error.message for text in _NO_NUMBERS_TO_READ):
            raise
        # A line that looks at the mask's numbers is no fault, only impossible without memory.
        wanted = torch.ones(4, 4, dtype=torch.bool).tril()
        return expect(student.causal_mask(4, device="cpu"), wanted, "(queries, keys)")
    if not isinstance(mask, Tensor) or mask.device.type != "meta":
        where = str(mask.device) if isinstance(mask, Tensor) else "no tensor"
        raise Mismatch(
            where,
            "a tensor on device meta",
            'The argument `device` has no effect yet. ("meta" is a device without memory: '
            "whoever respects it respects a graphics card too.)",
        )


def _what_is_special(mask: np.ndarray) -> str | None:
    if mask.ndim != 2 or mask.shape[0] != mask.shape[1]:
        return None
    positions = np.arange(len(mask))
    row, column = positions[:, None], positions[None, :]
    if not np.isin(mask, (0, 1)).all():
        return (
            "This looks like numbers to add to the scores. Here a mask is boolean: True where "
            "attention is allowed."
        )
    if mask.dtype != bool:
        return "0s and 1s say the right kind of thing, but a mask here is boolean: True and False."
    if len(mask) > 1 and same(mask, column > row):
        return "Your mask says who is forbidden. In this course True means: attention is allowed."
    if len(mask) > 1 and same(mask, column >= row):
        return "Your mask lets a position see what comes after it. Which axis lists the queries?"
    if same(mask, column < row):
        return "In your mask no position sees itself. Row 0 would have nothing to attend to."
    if same(mask, column <= row + 1):
        return "Your mask lets every position see one step into the future."
    return None
