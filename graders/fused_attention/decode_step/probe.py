"""How to observe an answer to decode_step for a diagnosis."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.registry import Observations
from graders.fused_attention.given_modules import loaded, weights_of, with_loud_values
from graders.modules import follows_values, form

D_MODEL, HEADS = 12, 3


@probe("decode_step", numerics=("large values",))
def observe_decode_step(student: Any) -> Observations:
    """Outputs and caches of several steps with fixed weights, and what a step changes."""
    draw = Draw(b"probe", "decode_step")
    weights, x = weights_of(draw, D_MODEL), draw.normal(2, 4, D_MODEL)
    given = tuple(draw.normal(2, HEADS, 2, D_MODEL // HEADS) for _ in "kv")

    def made() -> Any:
        return loaded(student, D_MODEL, HEADS, weights)

    def steps(count: int, place: int) -> Callable[[], object]:
        def look() -> object:
            module, result = made(), (None, None)
            for now in range(count):
                token = x[:, now : now + 1].clone()
                result = (
                    student.decode_step(module, token, result[1])
                    if now
                    else student.decode_step(module, token)
                )
            return result[place]

        return look

    def after(place: int, *, kind: Any = None) -> Callable[[], object]:
        def look() -> object:
            module = made()
            module.to(kind)
            token, cache = x[:, :1].to(kind), tuple(part.to(kind) for part in given)
            result = student.decode_step(module, token, cache)[place]
            return form(result) if isinstance(result, Tensor) else tuple(map(form, result))

        return look

    def large_values() -> object:
        modules = (
            loaded(student, D_MODEL, HEADS, each) for each in (weights, with_loud_values(weights))
        )
        found, loud = (student.decode_step(module, x[:, :1].clone()) for module in modules)
        return follows_values(found, loud)

    def continued() -> object:
        cache = tuple(part.clone() for part in given)
        return student.decode_step(made(), x[:, :1].clone(), cache)

    def changed() -> object:
        cache = tuple(part.clone() for part in given)
        student.decode_step(made(), x[:, :1].clone(), cache)
        return tuple(map(str, student.changed_inputs))

    def changed_own() -> object:
        cache = steps(2, 1)()
        student.decode_step(made(), x[:, 2:3].clone(), cache)
        return tuple(map(str, student.changed_inputs))

    def two_texts() -> object:
        module = made()
        _, cache = student.decode_step(module, x[:, :1].clone())
        student.decode_step(module, x[:, 1:2].clone())
        return student.decode_step(module, x[:, 2:3].clone(), cache)[0]

    def large_scores() -> object:
        output = student.decode_step(made(), 1e3 * x[:, :1])[0]
        return bool(output.isfinite().all()) if isinstance(output, Tensor) else form(output)

    def twice() -> object:
        module = made()
        first, second = (student.decode_step(module, x[:, :1], given)[0] for _ in "ab")
        return torch.equal(first, second)

    looks: dict[str, Callable[[], object]] = {}
    for count in (1, 2, 3, 4):
        looks[f"output {count}"] = steps(count, 0)
        looks[f"cache {count}"] = steps(count, 1)
    return looks | {
        "another cache": continued,
        "float64, output": after(0, kind=torch.float64),
        "float64, cache": after(1, kind=torch.float64),
        "bfloat16, cache": after(1, kind=torch.bfloat16),
        "two texts": two_texts,
        "large scores": large_scores,
        "large values": large_values,
        "meta": after(0, kind="meta"),
        "meta, cache": after(1, kind="meta"),
        "changed": changed,
        "changed, its own": changed_own,
        "twice": twice,
    }
