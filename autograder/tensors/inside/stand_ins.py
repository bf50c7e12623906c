"""Stand-ins for earlier exercises with tensors, beside those of `sandbox.inside.stand_ins`.

A function asks forward and backward, so that gradients flow; a module has the layers that a right
one has, real ones, and asks for its forward pass.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from autograder.sandbox.inside import stand_ins
from autograder.sandbox.inside.asking import ask

from .questions import Question, question

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
    made = {"function": _function, "module": _module}.get(kind)
    return made(name) if made is not None else stand_ins.stand_in(name, kind)


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
        wanted = ctx.needs_input_grad[1:]
        if not any(wanted) or all(one is None for one in upstream):
            return (None,) * (1 + len(wanted))
        found = iter(_Gradients.apply(ctx.asking, wanted, *ctx.saved_tensors, *upstream))
        return None, *(next(found) if is_wanted else None for is_wanted in wanted)

    @staticmethod
    def vmap(info: Any, in_dims: Any, *inputs: Any) -> tuple[Any, Any]:
        """Ask for one after the other."""
        return _one_by_one(_Answer, info.batch_size, in_dims, inputs)


class _Gradients(torch.autograd.Function):
    """The gradients that a right answer hands back, which are not differentiated again."""

    @staticmethod
    def forward(asking: Question, wanted: Sequence[bool], *tensors: Any) -> tuple[Tensor, ...]:
        """Ask for them; zero where nothing comes back."""
        given, upstream = tensors[: len(wanted)], tensors[len(wanted) :]
        found = asking.backward(given, upstream, wanted)
        pairs = ((one, like) for one, like, w in zip(found, given, wanted, strict=True) if w)
        return tuple(torch.zeros_like(like) if one is None else one for one, like in pairs)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, ...]) -> None:
        """Keep nothing."""

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor | None) -> tuple[Any, ...]:
        """Refuse to go on."""
        raise RuntimeError("a right answer's gradients cannot be differentiated again here")

    @staticmethod
    def vmap(info: Any, in_dims: Any, *inputs: Any) -> tuple[Any, Any]:
        """Ask for one after the other."""
        return _one_by_one(_Gradients, info.batch_size, in_dims, inputs)


def _one_by_one(
    asked: type[torch.autograd.Function], count: int, in_dims: Any, inputs: tuple[Any, ...]
) -> tuple[tuple[Tensor, ...], tuple[int, ...]]:
    """What is asked for each of a batch, put together again, and where the batch is then."""
    rows = [
        asked.apply(
            *(
                one.select(place, row) if isinstance(one, Tensor) and place is not None else one
                for one, place in zip(inputs, in_dims, strict=True)
            )
        )
        for row in range(count)
    ]
    results = tuple(torch.stack(column) for column in zip(*rows, strict=True))
    return results, (0,) * len(results)
