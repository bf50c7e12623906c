"""Stand-ins for earlier exercises: they look like right answers, and ask for what those give.

They hold nothing of a solution. A function asks forward and backward, so that gradients flow; a
module has the layers that a right one has, real ones, and asks for its forward pass; a picture
comes as what it shows, and is drawn here.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from .asking import Question, ask, question
from .redrawing import redraw

LAYERS: dict[str, Callable[..., nn.Module]] = {
    "Linear": nn.Linear,
    "Embedding": nn.Embedding,
    "LSTM": nn.LSTM,
}


def stand_in(name: str, kind: str) -> Any:
    """What stands for an earlier exercise.

    Args:
        name: the exercise.
        kind: `function`, `module` or `picture`.
    """
    return {"function": _function, "module": _module, "picture": _picture}[kind](name)


def _function(name: str) -> Callable[..., Any]:
    def asked(*args: Any, **kwargs: Any) -> Any:
        return _asked(*question(name, [{}, list(args), kwargs]))

    asked.__name__ = asked.__qualname__ = name
    return asked


class _Module(nn.Module):
    """A module with the layers of a right one, which asks for its forward pass."""

    part: str

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        self.made_with: Any = [list(args), kwargs]
        made = ask(self.part, "make", self.made_with)
        for attribute, value in made["attributes"].items():
            setattr(self, attribute, value)
        for layer, (kind, options) in made["layers"].items():
            setattr(self, layer, LAYERS[kind](**options))

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Ask what a right module gives with these parameters."""
        state = dict(self.named_parameters())
        made = {"with": self.made_with, "training": self.training}
        return _asked(*question(self.part, [state, list(args), kwargs], made))


def _module(name: str) -> type[nn.Module]:
    return type(name, (_Module,), {"part": name})


def _picture(name: str) -> Callable[..., Any]:
    def drawn(weights: Tensor, tokens: list[str], ax: Any = None) -> Any:
        table = weights.detach() if isinstance(weights, Tensor) else weights
        return redraw(ask(name, "draw", [table, tokens], drawing_of=lambda shown: shown), ax)

    drawn.__name__ = drawn.__qualname__ = name
    return drawn


def _asked(asking: Question, tensors: list[Tensor]) -> Any:
    if not tensors:
        return asking.answer_of(asking.forward(()))
    # The copies are nobody else's: what is changed in place afterwards is not pulled back through.
    return asking.answer_of(_Answer.apply(asking, *(tensor.clone() for tensor in tensors)))


class _Answer(torch.autograd.Function):
    """What a right answer gives for some tensors, and the gradients that it hands back."""

    @staticmethod
    def forward(asking: Question, *tensors: Tensor) -> tuple[Tensor, ...]:
        """Ask for the results."""
        return asking.forward(tensors)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, ...]) -> None:
        """Keep what the question was."""
        ctx.asking, *tensors = inputs
        ctx.save_for_backward(*tensors)
        ctx.set_materialize_grads(False)
        ctx.mark_non_differentiable(*(one for one in output if not one.is_floating_point()))

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor | None) -> tuple[Any, ...]:
        """Ask for the gradients of those that want one."""
        if all(one is None for one in upstream):
            return (None,) * len(ctx.needs_input_grad)
        return None, *ctx.asking.backward(ctx.saved_tensors, upstream, ctx.needs_input_grad[1:])

    @staticmethod
    def vmap(info: Any, in_dims: Any, asking: Question, *tensors: Tensor) -> tuple[Any, Any]:
        """Ask for one after the other."""
        rows = [
            _Answer.apply(
                asking,
                *(
                    one if place is None else one.select(place, row)
                    for one, place in zip(tensors, in_dims[1:], strict=True)
                ),
            )
            for row in range(info.batch_size)
        ]
        results = tuple(torch.stack(column) for column in zip(*rows, strict=True))
        return results, (0,) * len(results)
