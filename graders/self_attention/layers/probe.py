"""How to observe answers to SelfAttention and RepairedAttention for a diagnosis."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.registry import Observations
from graders.modules import (
    follows_values,
    form,
    mask_of,
    overflowing,
    refusing,
    with_loud_values,
)
from graders.self_attention.layers.given_layers import (
    REPAIRED,
    Sizes,
    assert_nothing_dropped,
    assert_nothing_leaks,
    later_tokens_reach,
    loaded,
    made,
    weights_of,
)

Look = Callable[[], object]

SIZES = (11, 6, 10)
NARROW = (7, 3, 1)
BATCH, SEQ = 2, 5


class LayerProbe:
    """One student's module, observed with fixed weights, inputs and masks."""

    def __init__(self, student: Any, name: str) -> None:
        self.student, self.name = student, name
        draw = Draw(b"probe", "SelfAttention")
        self.weights = {
            sizes: weights_of(draw, sizes, bias=True) for sizes in (SIZES, (4, 4, 4), NARROW)
        }
        self.inputs = {sizes: draw.normal(BATCH, SEQ, sizes[0]) for sizes in self.weights}
        self.upstream = draw.normal(BATCH, SEQ, SIZES[2])
        shapes: tuple[tuple[int, ...], ...] = (5, 5), (2, 5, 5), (2, 1, 5)
        self.masks = {shape: _mixed(draw, shape) for shape in shapes}

    def made(self, sizes: Sizes = SIZES) -> Any:
        """The module with the fixed weights."""
        return loaded(self.student, self.name, sizes, self.weights[sizes])

    def out(self, mask: tuple[int, ...] | None = None, sizes: Sizes = SIZES) -> Look:
        """What comes out."""

        def look() -> object:
            own = () if mask is None else (self.masks[mask].clone(),)
            return _as_tuple(self.made(sizes)(self.inputs[sizes].clone(), *own))

        return look

    def single(self) -> object:
        """What comes out for one text without a batch."""
        return _as_tuple(self.made()(self.inputs[SIZES][0].clone()))

    def single_masked(self) -> object:
        """What comes out for one text without a batch, under a mask."""
        return _as_tuple(self.made()(self.inputs[SIZES][0].clone(), self.masks[5, 5].clone()))

    def batch_of_one(self) -> object:
        """What comes out for a batch of one text."""
        return _as_tuple(self.made()(self.inputs[SIZES][:1].clone()))

    def unmasked_after_a_mask(self) -> object:
        """What comes out without a mask where an earlier call had one."""
        module, x = self.made(), self.inputs[SIZES]
        module(x.clone(), self.masks[5, 5].clone())
        return _as_tuple(module(x.clone()))

    def batches(self) -> object:
        """What comes out for a batch of batches."""
        return _as_tuple(self.made()(self.inputs[SIZES].repeat(3, 1, 1, 1)))

    def shapes(self) -> object:
        """How large the promised weights are."""
        state = made(self.student, self.name, SIZES).state_dict()
        return tuple(
            (name, tuple(value.shape)) for name, value in sorted(state.items()) if "weight" in name
        )

    def as_long_as_wide(self) -> object:
        """What comes out for as many tokens as queries have features."""
        x = self.inputs[SIZES].repeat(1, 2, 1)[:, : SIZES[1]]
        return _as_tuple(self.made()(x))

    def far(self) -> object:
        """What comes out for scores so large that exp overflows."""
        loud = {n: 1e4 * w if n.startswith("w_q.") else w for n, w in self.weights[SIZES].items()}
        return _as_tuple(loaded(self.student, self.name, SIZES, loud)(self.inputs[SIZES].clone()))

    def large_values(self) -> object:
        """Whether the output grows with the values."""
        x, quiet = self.inputs[SIZES], self.weights[SIZES]
        found, loud = (
            loaded(self.student, self.name, SIZES, weights)(x.clone())
            for weights in (quiet, with_loud_values(quiet))
        )
        return follows_values(found, loud)

    def kind(self, device: str, dtype: torch.dtype, *masks: tuple[int, ...]) -> Look:
        """The dtype and shape of what comes out there."""

        def look() -> object:
            module = self.made()
            module.to(device if device == "meta" else dtype)
            x = self.inputs[SIZES].to(device=device, dtype=dtype)
            result = module(x, *(self.masks[mask].to(device) for mask in masks))
            return tuple(map(form, result)) if isinstance(result, tuple | list) else form(result)

        return look

    def half_input(self) -> object:
        """What becomes of an input in half precision, which a module in single cannot take."""
        return form(self.made()(self.inputs[SIZES].half()))

    def unasked(self) -> object:
        """Which biases a module has that was made without a word about them."""
        return tuple(
            sorted(n for n in made(self.student, self.name, SIZES).state_dict() if "b" in n)
        )

    def gradients(self) -> object:
        """Gradients of the input and of the promised parameters."""
        found = self.student.grad(self.made(), self.inputs[SIZES], upstream=self.upstream)
        return (*found.inputs, *(found.parameters.get(n) for n in sorted(self.weights[SIZES])))

    def changed(self) -> object:
        """Which arguments a call changes."""
        self.made()(self.inputs[SIZES].clone(), self.masks[5, 5].clone())
        return tuple(str(place) for place in self.student.changed_inputs)


@probe("SelfAttention", form=("shapes",), numerics=("large values",), dtype=("float16 in",))
def observe_self_attention(student: Any) -> Observations:
    """Outputs and weights for fixed parameters under every kind of mask, dtype and device."""
    return _layer(student, "SelfAttention")


@probe("RepairedAttention", form=("shapes",), numerics=("large values",), dtype=("float16 in",))
def observe_repaired_attention(student: Any) -> Observations:
    """Outputs and weights for fixed parameters under every kind of mask, dtype and device."""
    return _layer(student, REPAIRED)


def _layer(student: Any, name: str) -> Observations:
    see = LayerProbe(student, name)
    half, single = torch.float16, torch.float32
    looks: dict[str, Look] = {
        "plain": see.out(),
        "square": see.out(sizes=(4, 4, 4)),
        "mask": see.out((5, 5)),
        "mask of a batch": see.out((2, 5, 5)),
        "padding": see.out((2, 1, 5)),
        "one text": see.single,
        "one text, mask": see.single_masked,
        "one value": see.out(sizes=NARROW),
        "batch of one": see.batch_of_one,
        "after a mask": see.unmasked_after_a_mask,
        "batches": see.batches,
        "shapes": see.shapes,
        "as long as wide": see.as_long_as_wide,
        "far": see.far,
        "large values": see.large_values,
        "leaks, causal": lambda: later_tokens_reach(student, name, Draw(b"probe", "later")),
        "leaks": lambda: assert_nothing_leaks(student, name, Draw(b"probe", "leaks")),
        "training": lambda: assert_nothing_dropped(student, name, Draw(b"probe", "training")),
        "unasked": see.unasked,
        "gradients": see.gradients,
        "float16": see.kind("cpu", half),
        "float16, mask": see.kind("cpu", half, (5, 5)),
        "bfloat16, mask": overflowing(see.kind("cpu", torch.bfloat16, (5, 5))),
        "float16 in": see.half_input,
        "float64": see.kind("cpu", torch.float64),
        "meta": see.kind("meta", single),
        "meta, mask": see.kind("meta", single, (5, 5)),
        "changed": see.changed,
    }
    return {key: refusing(look) for key, look in looks.items()}


def _mixed(draw: Draw, shape: tuple[int, ...]) -> Tensor:
    """A mask whose rows all allow and forbid something, so that its inverse has no empty row.

    Ways to write attention differ on empty rows, where some give NaN and some zero.
    """
    mask = mask_of(draw, *shape)
    mask[..., 1] = False
    return mask


def _as_tuple(result: object) -> object:
    return tuple(result) if isinstance(result, list) else result
