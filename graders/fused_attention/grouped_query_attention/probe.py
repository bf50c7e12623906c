"""How to observe an answer to grouped_query_attention for a diagnosis."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.checks.kit.errors import StudentError
from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.properties import same_bits
from autograder.judging.registry import Observations
from graders.modules import LOUD_VALUES, follows_values, form


@probe("grouped_query_attention", numerics=("large values",), refusal=("more key heads",))
def observe_grouped_query_attention(student: Any) -> Observations:
    """Outputs for fixed heads in groups of several sizes, and what bad numbers of heads raise."""
    draw = Draw(b"probe", "grouped_query_attention")
    q, k, v = draw.normal(2, 6, 5, 8), draw.normal(2, 2, 7, 8), draw.normal(2, 2, 7, 3)
    k3, v3 = draw.normal(2, 3, 5, 8), draw.normal(2, 3, 5, 3)
    upstream = draw.normal(2, 6, 5, 3)

    def out(*given: Tensor, is_causal: bool = False, kind: Any = None) -> Callable[[], object]:
        def look() -> object:
            tensors = (tensor.clone().to(kind) for tensor in given)
            result = student.grouped_query_attention(*tensors, is_causal=is_causal)
            return result if kind is None else form(result)

        return look

    def leaks() -> object:
        other = v3.clone()
        other[..., 3:, :] = 1e30
        results = [
            student.grouped_query_attention(q, k3, values, is_causal=True) for values in (v3, other)
        ]
        return torch.equal(*(result[..., :3, :] for result in results))

    def large_values() -> object:
        found, loud = (
            student.grouped_query_attention(q, k3, each) for each in (v3, LOUD_VALUES * v3)
        )
        return follows_values(found, loud)

    def texts_meet() -> object:
        texts = Draw(b"probe", "texts")
        x, changed = (texts.normal(2, 4, 5, 8, dtype=torch.float64) for _ in "ab")
        changed[1:] = x[1:]
        before, after = (
            student.grouped_query_attention(each, each[:, :2], each[:, 2:]) for each in (x, changed)
        )
        return not same_bits(before[1:], after[1:])

    def changed() -> object:
        student.grouped_query_attention(q.clone(), k3.clone(), v3.clone())
        return tuple(map(str, student.changed_inputs))

    def refusal(heads: int, key_heads: int) -> Callable[[], object]:
        def look() -> object:
            keys = torch.ones(2, key_heads, 7, 8)
            try:
                student.grouped_query_attention(torch.ones(2, heads, 5, 8), keys, keys)
            except StudentError as error:
                named = str(heads) in error.message and str(key_heads) in error.message
                return error.type_name, named
            return "accepted"

        return look

    return {
        "two key heads": out(q, k, v),
        "three key heads": out(q, k3, v3),
        "one key head": out(q, k[:, :1], v[:, :1]),
        "as many": out(q[:, :2], k, v),
        "one key of one head": out(q, k[:, :1, :1], v[:, :1, :1]),
        "causal": out(q, k3, v3, is_causal=True),
        "leaks": leaks,
        "no batch": out(q[0], k[0], v[0]),
        "two batches": out(q[None], k[None], v[None]),
        "large values": large_values,
        "texts meet": texts_meet,
        "gradients": lambda: (
            student.grad("grouped_query_attention", q, k, v, upstream=upstream).inputs
        ),
        "refusal": refusal(6, 4),
        "more key heads": refusal(3, 6),
        "float16": out(q, k3, v3, kind=torch.float16),
        "float64": out(q, k3, v3, kind=torch.float64),
        "meta": out(q, k3, v3, kind="meta"),
        "meta, causal": out(q, k3, v3, is_causal=True, kind="meta"),
        "changed": changed,
    }
