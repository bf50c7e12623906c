"""How to observe answers to fuse_qkv and fused_from_projections for a diagnosis."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.registry import Observations
from graders.fused_attention.fused_weights.given_projections import (
    NAMES,
    empty,
    fused,
    projections,
    projections_of,
    untouched,
)
from graders.modules import Weights, form, refusing

HELD = ("qkv.weight", "qkv.bias", "out.weight", "out.bias")


@probe("fuse_qkv")
def observe_fuse_qkv(student: Any) -> Observations:
    """The fused weight of fixed ones, its gradients, its dtype and its device."""
    draw = Draw(b"probe", "fuse_qkv")
    three = [draw.normal(6, 6) for _ in range(3)]
    upstream = draw.normal(18, 6)
    half, double, meta = (
        [weight.to(kind) for weight in three] for kind in (torch.float16, torch.float64, "meta")
    )

    def changed(dtype: torch.dtype | None = None) -> object:
        student.fuse_qkv(*(weight.clone().to(dtype) for weight in three))
        return tuple(map(str, student.changed_inputs))

    return {
        "weight": lambda: student.fuse_qkv(*three),
        "gradients": lambda: student.grad("fuse_qkv", *three, upstream=upstream).inputs,
        "float16": lambda: form(student.fuse_qkv(*half)),
        "float64": lambda: form(student.fuse_qkv(*double)),
        "meta": lambda: form(student.fuse_qkv(*meta)),
        "changed": changed,
        "changed, bfloat16": lambda: changed(torch.bfloat16),
    }


@probe("fused_from_projections", changes=("untouched when emptied",))
def observe_fused_from_projections(student: Any) -> Observations:
    """What the module holds and gives for fixed projections."""
    draw = Draw(b"probe", "fused_from_projections")
    given, bare = projections_of(draw, 6, bias=True), projections_of(draw, 6, bias=False)
    double = projections_of(draw, 6, bias=True, dtype=torch.float64)
    x = draw.normal(2, 5, 6)

    def made(weights: Weights, num_heads: int = 3) -> Any:
        return fused(student, projections(student, weights), num_heads)

    def held(weights: Weights, name: str) -> Callable[[], object]:
        return lambda: _settled(lambda: made(weights).state_dict().get(name))

    def left() -> object:
        layers = projections(student, given)
        fused(student, layers, 3)
        return untouched(layers, given)

    def left_when_emptied() -> object:
        layers = projections(student, given)
        empty(fused(student, layers, 3))
        return all(untouched(layers, given))

    def learning() -> object:
        found = student.grad(made(given), x, upstream=x).parameters
        return tuple(sorted(name for name, gradient in found.items() if gradient is not None))

    looks: dict[str, Callable[[], object]] = {name: held(given, name) for name in HELD}
    looks |= {f"{name} without bias": held(bare, name) for name in HELD}
    looks |= {
        # A mistake in fuse_qkv is none in this exercise, and must not be taken for one.
        "fuse_qkv": lambda: student.fuse_qkv(*(given[f"{name}.weight"] for name in NAMES[:3])),
        "output": lambda: _settled(lambda: made(given)(x)),
        "bias for six heads": lambda: _settled(lambda: made(given, 6).state_dict().get("qkv.bias")),
        "two heads": lambda: _settled(lambda: made(given, 2)(x)),
        "float64": lambda: tuple(form(made(double).state_dict().get(name)) for name in HELD),
        "meta": lambda: form(
            made({n: w.to("meta") for n, w in bare.items()}).state_dict().get(HELD[0])
        ),
        "untouched": left,
        "untouched when emptied": left_when_emptied,
        "learning": learning,
    }
    return {name: refusing(look) for name, look in looks.items()}


def _settled(look: Callable[[], object]) -> object:
    """What is seen, where it is the same twice: what was never set is random."""
    first, second = look(), look()
    if isinstance(first, Tensor) and isinstance(second, Tensor) and form(first) == form(second):
        return first if first.is_meta or torch.equal(first, second) else "random"
    return form(first)
