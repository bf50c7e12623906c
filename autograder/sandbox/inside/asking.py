"""Asks the trusted side from within a call: what a right answer to an earlier exercise gives.

A question goes out on the line on which the answer to the present request will follow. All of this
is in reach of the student's code, which learns what a right answer to an exercise before its own
gives, and no more: who answers believes nothing of a question.
"""

import builtins
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import torch
from torch import Tensor
from torch.utils import _pytree as trees

from .decoding import Decoder
from .encoding import Encoder
from .line import receive, send

AUTOCAST_DEVICES = ("cpu", "cuda")

_LINE = Lock()  # threads may ask at once


def ask(
    part: str,
    way: str,
    given: Any,
    *,
    drawing_of: Callable[[Any], Any] | None = None,
    **rest: Any,
) -> Any:
    """What the trusted side answers.

    Args:
        part: the earlier exercise.
        way: `call`, `pull`, `make` or `draw`.
        given: the arguments, as data.
        drawing_of: what an answered picture stands for.
        rest: what else belongs to the question, as JSON or, under `upstream`, as data.

    Raises:
        Exception: what a right answer raises for these arguments.
    """
    encoder = Encoder(lambda _: None)
    question = {"part": part, "way": way, "given": encoder.encode(given)} | rest
    if "upstream" in rest:
        question["upstream"] = encoder.encode(rest["upstream"])
    with _LINE:
        send({"ask": question, "tensors": encoder.records}, encoder.parts)
        answer, blob = receive()
    if "raised" in answer:
        kind = getattr(builtins, answer["raised"], RuntimeError)
        raise kind(answer["message"])
    pictures = {} if drawing_of is None else {"drawing_of": drawing_of}
    return Decoder(answer["tensors"], blob, _no_module, owns=True, **pictures).decode(
        answer["answer"]
    )


def _no_module(_: int) -> Any:
    raise RuntimeError("no module comes back from the trusted side")


@dataclass
class Question:
    """One call of an earlier exercise, whose tensors are passed on beside it.

    Attributes:
        part: the earlier exercise.
        form: how the tensors stand in its arguments.
        rest: what is no tensor among these.
        module: of a module, how it was made and whether it trains; else None.
        autocast: what autocast was on, as (device, dtype).
        shape: how tensors stand in what came back, once there is an answer.
    """

    part: str
    form: trees.TreeSpec
    rest: list[Any]
    module: dict[str, Any] | None
    autocast: list[tuple[str, torch.dtype]]
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
        return [trees.tree_unflatten(leaves, self.form), self.autocast]


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
    return Question(part, form, rest, module, autocast), tensors
