"""Questions with tensors in them, forward and backward, about a right answer to an exercise."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from torch.utils import _pytree as trees

from autograder.sandbox.inside.asking import ask

AUTOCAST_DEVICES = ("cpu", "cuda")


@dataclass
class Question:
    """One call of an earlier exercise, whose tensors are passed on beside it.

    Attributes:
        part: the earlier exercise.
        form: how the tensors stand in its arguments.
        rest: what is no tensor among these.
        module: of a module, how it was made and whether it trains; else None.
        autocast: what autocast was on, as (device, dtype).
        device: torch's default device.
        shape: how tensors stand in what came back, once there is an answer.
    """

    part: str
    form: trees.TreeSpec
    rest: list[Any]
    module: dict[str, Any] | None
    autocast: list[tuple[str, torch.dtype]]
    device: str
    shape: list[Any] = field(default_factory=list)

    def forward(self, tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """The tensors of the answer."""
        found = ask(self.part, "call", self._given(tensors), module=self.module)
        leaves, spec = trees.tree_flatten(found)
        self.shape = [spec, [None if isinstance(leaf, Tensor) else leaf for leaf in leaves]]
        # Copies: autograd lets nobody change a view that a function of one's own has made.
        return tuple(leaf.clone() for leaf in leaves if isinstance(leaf, Tensor))

    def backward(
        self, tensors: Sequence[Tensor], upstream: Sequence[Tensor | None], wanted: Sequence[bool]
    ) -> list[Tensor | None]:
        """A gradient for each tensor that wants one."""
        return ask(
            self.part,
            "pull",
            self._given(tensors),
            module=self.module,
            upstream=[None if one is None else one.detach() for one in upstream],
            wanted=list(wanted),
        )

    def answer_of(self, tensors: Sequence[Tensor]) -> Any:
        """What came back, with these tensors in the place of its own."""
        spec, rest = self.shape
        own = iter(tensors)
        return trees.tree_unflatten([next(own) if one is None else one for one in rest], spec)

    def _given(self, tensors: Sequence[Tensor]) -> Any:
        own = iter(tensors)
        leaves = [next(own).detach() if one is _TENSOR else one for one in self.rest]
        return [trees.tree_unflatten(leaves, self.form), self.autocast, self.device]


_TENSOR = object()


def question(
    part: str, given: Any, module: dict[str, Any] | None = None
) -> tuple[Question, list[Tensor]]:
    """A question about these arguments, and the tensors among them."""
    leaves, form = trees.tree_flatten(given)
    tensors = [leaf for leaf in leaves if isinstance(leaf, Tensor)]
    rest = [_TENSOR if isinstance(leaf, Tensor) else leaf for leaf in leaves]
    autocast = [
        (device, torch.get_autocast_dtype(device))
        for device in AUTOCAST_DEVICES
        if torch.is_autocast_enabled(device)
    ]
    device = str(torch.get_default_device())
    return Question(part, form, rest, module, autocast, device), tensors
