"""How to observe answers to MultiHeadAttention for a diagnosis."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.hidden.modules import form, mask_of, names_numbers, refusing
from autograder.hidden.multi_head_attention.given_weights import (
    assert_nothing_leaks,
    loaded,
    made,
    weights_of,
)
from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.registry import Observations

Look = Callable[[], object]

D_MODEL, HEADS, BATCH, SEQ = 12, 3, 2, 5


class MultiHeadProbe:
    """One student's module, observed with fixed weights, inputs and masks."""

    def __init__(self, student: Any) -> None:
        self.student = student
        self.draw = draw = Draw(b"probe", "MultiHeadAttention")
        self.weights = weights_of(draw, D_MODEL)
        self.x, self.upstream = draw.normal(BATCH, SEQ, D_MODEL), draw.normal(BATCH, SEQ, D_MODEL)
        self.mask, self.padding = self.mixed(SEQ, SEQ), self.mixed(BATCH, 1, 1, SEQ)
        self.per_head = self.mixed(HEADS, SEQ, SEQ)
        self.full = self.mixed(BATCH, HEADS, SEQ, SEQ)

    def mixed(self, *shape: int) -> Tensor:
        """A mask whose rows all allow and forbid something, so that its inverse has no empty row.

        Ways to write attention differ on empty rows, where some give NaN and some zero.
        """
        mask = mask_of(self.draw, *shape)
        mask[..., 1] = False
        return mask

    def made(self, **options: Any) -> Any:
        """The module with the fixed weights."""
        return loaded(self.student, D_MODEL, HEADS, self.weights, **options)

    def out(self, mask: Tensor | None = None, seq: int = SEQ) -> Look:
        """What comes out."""

        def look() -> object:
            own = None if mask is None else mask.clone()
            return self.made()(self.x[:, :seq].clone(), own)

        return look

    def kind(self, device: str, dtype: torch.dtype, *masks: Tensor) -> Look:
        """The dtype and shape of what comes out there."""

        def look() -> object:
            module = self.made()
            module.to(device if device == "meta" else dtype)
            x = self.x.to(device=device, dtype=dtype)
            result = module(x, *(mask.to(device) for mask in masks))
            return tuple(map(form, result)) if isinstance(result, tuple | list) else form(result)

        return look

    def half_input(self) -> object:
        """What becomes of an input in half precision, which a module in single cannot take."""
        return form(self.made()(self.x.half()))

    def wide_mask(self) -> object:
        """A mask with as many heads as there are sequences: its first axis must be the heads."""
        x = self.x.repeat(2, 1, 1)[:HEADS]
        return self.made()(x, self.per_head.clone())

    def missing_without_bias(self) -> object:
        """Which biases a module has that was made without."""
        biases = {name for name in self.weights if name.endswith("bias")}
        module = made(self.student, D_MODEL, HEADS, bias=False)
        return tuple(sorted(biases & set(module.state_dict())))

    def gradients(self) -> object:
        """Gradients of the input and of the promised parameters."""
        found = self.student.grad(self.made(), self.x, upstream=self.upstream)
        return (*found.inputs, *(found.parameters.get(name) for name in sorted(self.weights)))

    def changed(self) -> object:
        """Which arguments a call changes."""
        self.made()(self.x.clone(), mask=self.mask.clone())
        return tuple(str(place) for place in self.student.changed_inputs)

    def refusal(self) -> object:
        """Whether the error for a bad number of heads names both numbers."""
        return names_numbers(lambda: self.student.MultiHeadAttention(10, 4), 10, 4)


@probe("MultiHeadAttention")
def observe_multi_head_attention(student: Any) -> Observations:
    """Outputs and weights for fixed parameters under every kind of mask, dtype and device."""
    see = MultiHeadProbe(student)
    half, single = torch.float16, torch.float32
    looks: dict[str, Look] = {
        "plain": see.out(),
        "mask": see.out(see.mask),
        "padding": see.out(see.padding),
        "mask per head": see.out(see.per_head),
        "as many heads as sequences": see.wide_mask,
        "full mask": see.out(see.full),
        "one token": see.out(seq=1),
        "as many tokens as heads": see.out(seq=HEADS),
        "leaks through a mask": lambda: assert_nothing_leaks(student, Draw(b"probe", "leaks")),
        "without bias": see.missing_without_bias,
        "gradients": see.gradients,
        "float16": see.kind("cpu", half),
        "float16, mask": see.kind("cpu", half, see.mask),
        "bfloat16, mask": see.kind("cpu", torch.bfloat16, see.mask),
        "float16 in": see.half_input,
        "meta": see.kind("meta", single),
        "meta, mask": see.kind("meta", single, see.mask),
        "changed": see.changed,
        "refusal": see.refusal,
        "no heads": lambda: names_numbers(lambda: student.MultiHeadAttention(6, 0), 6, 0),
    }
    return {name: refusing(look) for name, look in looks.items()}
