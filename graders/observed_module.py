"""What the probes of multi-head modules share: fixed weights, inputs and masks, and some looks."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.judging.draw import Draw
from graders import modules
from graders.modules import Weights, form, mask_of, names_numbers

Look = Callable[[], object]

D_MODEL, HEADS, BATCH, SEQ = 12, 3, 2, 5


class ModuleProbe:
    """One student's module, observed with fixed weights, inputs and masks.

    Args:
        student: the student's code.
        name: of the exercise, and of its class.
        weights_of: draws weights for a width, by the names that the exercise gives them.
    """

    def __init__(self, student: Any, name: str, weights_of: Callable[[Draw, int], Weights]) -> None:
        self.student, self.name = student, name
        self.draw = draw = Draw(b"probe", name)
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
        module = modules.made(self.student, self.name, D_MODEL, HEADS, **options)
        return modules.load(module, self.weights)

    def kind(self, device: str, dtype: torch.dtype, *masks: Tensor, **options: Any) -> Look:
        """The dtype and shape of what comes out there."""

        def look() -> object:
            module = self.made()
            module.to(device if device == "meta" else dtype)
            x = self.x.to(device=device, dtype=dtype)
            result = module(x, *(mask.to(device) for mask in masks), **options)
            return tuple(map(form, result)) if isinstance(result, tuple | list) else form(result)

        return look

    def follows_values(self, loud: Weights, **options: Any) -> Look:
        """Whether the output grows with the values.

        Args:
            loud: the fixed weights, with loud values.
            options: for the module.
        """

        def look() -> object:
            made = modules.made(self.student, self.name, D_MODEL, HEADS, **options)
            found, other = (
                modules.load(made, weights)(self.x.clone()) for weights in (self.weights, loud)
            )
            return modules.follows_values(found, other)

        return look

    def wide_mask(self) -> object:
        """A mask with as many heads as there are sequences: its first axis must be the heads."""
        x = self.x.repeat(2, 1, 1)[:HEADS]
        return self.made()(x, mask=self.per_head.clone())

    def missing_without_bias(self) -> object:
        """Which biases a module has that was made without."""
        biases = {name for name in self.weights if name.endswith("bias")}
        module = modules.made(self.student, self.name, D_MODEL, HEADS, bias=False)
        return tuple(sorted(biases & set(module.state_dict())))

    def gradients(self) -> object:
        """Gradients of the input and of the promised parameters."""
        found = self.student.grad(self.made(), self.x, upstream=self.upstream)
        return (*found.inputs, *(found.parameters.get(name) for name in sorted(self.weights)))

    def changed(self, **options: Any) -> Look:
        """Which arguments a call with a mask changes."""

        def look() -> object:
            self.made()(self.x.clone(), mask=self.mask.clone(), **options)
            return tuple(str(place) for place in self.student.changed_inputs)

        return look

    def refusal(self) -> object:
        """Whether the error for a bad number of heads names both numbers."""
        return names_numbers(lambda: getattr(self.student, self.name)(10, 4), 10, 4)
