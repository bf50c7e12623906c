"""Four separate projections for fused_from_projections, and the one module they should make."""

from typing import Any

import torch
from torch import Tensor

from autograder.checks.kit.local_student import LocalModule
from autograder.judging import Wrong
from autograder.judging.draw import Draw
from autograder.student import RemoteModule
from graders.modules import Weights

NAMES = ("w_q", "w_k", "w_v", "w_o")


def projections_of(
    draw: Draw, d_model: int, bias: bool, dtype: torch.dtype = torch.float32
) -> Weights:
    """Weights, and biases where wanted, of the four projections: `w_q.weight`, `w_q.bias`, ..."""
    given: Weights = {}
    for name in NAMES:
        given[f"{name}.weight"] = draw.normal(d_model, d_model, dtype=dtype, scale=d_model**-0.5)
        if bias:
            given[f"{name}.bias"] = draw.normal(d_model, dtype=dtype)
    return given


def projections(student: Any, given: Weights) -> list[Any]:
    """The four as nn.Linear, where the student's code runs."""
    return [
        student.linear(given[f"{name}.weight"].clone(), _cloned(given.get(f"{name}.bias")))
        for name in NAMES
    ]


def fused_weights(given: Weights) -> Weights:
    """What the fused module should hold."""
    parts = ("weight", "bias") if "w_q.bias" in given else ("weight",)
    held = {f"qkv.{part}": torch.cat([given[f"{n}.{part}"] for n in NAMES[:3]]) for part in parts}
    return held | {f"out.{part}": given[f"w_o.{part}"] for part in parts}


def fused(student: Any, layers: list[Any], num_heads: int) -> Any:
    """The student's module made of four projections.

    Raises:
        Wrong: something else than a module comes back.
    """
    module = student.fused_from_projections(*layers, num_heads)
    if not isinstance(module, RemoteModule | LocalModule):
        raise Wrong("Your function does not give back a module.")
    return module


def empty(module: Any) -> None:
    """Put zeros in the place of all that a module holds."""
    state = module.state_dict()
    module.load_state_dict({name: torch.zeros_like(value) for name, value in state.items()})


def untouched(layers: list[Any], given: Weights) -> tuple[bool, ...]:
    """For each weight and bias of four projections, whether it is still what was given."""
    return tuple(
        torch.equal(value, given[f"{name}.{part}"])
        for layer, name in zip(layers, NAMES, strict=True)
        for part, value in layer.state_dict().items()
    )


def _cloned(value: Tensor | None) -> Tensor | None:
    return None if value is None else value.clone()
