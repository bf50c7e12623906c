"""How to observe answers to the exercises of 01-attention-by-hand for a diagnosis."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.registry import Observations
from autograder.tensors.traced import traced


def computed_by_torch(student: Any, x: np.ndarray) -> tuple[object, bool]:
    """What softmax(x) gives, and whether operations of PyTorch ran, as the process says."""
    found, recording = traced(student, "softmax", x)
    return found, recording.get("operations") != []


@probe("softmax", numerics=("apart",))
def observe_softmax(student: Any) -> Observations:
    """Shares of fixed scores: near and far, along every axis, in every precision."""
    draw = Draw(b"probe", "softmax")
    vector, matrix, block = draw.array(5), draw.array(4, 3), draw.array(2, 3, 4)

    def look(x: np.ndarray, **axis: int) -> Callable[[], object]:
        return lambda: student.softmax(x.copy(), **axis)

    return {
        "vector": look(vector),
        "matrix": look(matrix),
        "block": look(block),
        "square": look(matrix[:3]),
        "first axis": look(matrix, axis=0),
        "square, first axis": look(matrix[:3], axis=0),
        "middle axis": look(block, axis=1),
        "far": look(1e4 * matrix),
        "apart": look(matrix + np.array([[1000.0], [-1000.0], [0.0], [0.0]])),
        "spread": look(8 * matrix),
        "last axis but one": look(block, axis=-2),
        "one row": look(matrix[:1]),
        "float32": look(matrix.astype(np.float32)),
        "float16": look(matrix.astype(np.float16)),
        "by PyTorch": lambda: computed_by_torch(student, matrix)[1],
        "changed": lambda: (student.softmax(matrix.copy()), student.changed_inputs)[1],
        "changed, far": lambda: (look(1e4 * matrix)(), student.changed_inputs)[1],
    }


@probe("dot_product_scores")
def observe_dot_product_scores(student: Any) -> Observations:
    """Scores of fixed queries and keys, not scaled."""
    return _scores(student, "dot_product_scores")


@probe("scaled_scores")
def observe_scaled_scores(student: Any) -> Observations:
    """Scores of fixed queries and keys, scaled."""
    return _scores(student, "scaled_scores")


def _scores(student: Any, exercise: str) -> Observations:
    """Of every rank, square, single, large, in half precision, with gradients."""
    draw = Draw(b"probe", "scaled_scores")
    scores_of = getattr(student, exercise)
    pairs = {
        "matrix": ((5, 6), (7, 6)),
        "batch": ((2, 5, 6), (2, 7, 6)),
        "heads": ((2, 3, 5, 6), (2, 3, 7, 6)),
        "square": ((4, 4), (4, 4)),
        "square batch": ((4, 4, 4), (4, 4, 4)),
        "one of each": ((2, 1, 6), (2, 1, 6)),
        "one feature": ((5, 1), (7, 1)),
    }
    inputs = {
        name: tuple(draw.normal(*shape, dtype=torch.float64) for shape in shapes)
        for name, shapes in pairs.items()
    }
    q, k = inputs["batch"]
    upstream = draw.normal(2, 5, 7, dtype=torch.float64)
    meta = torch.empty(2, 5, 6, device="meta"), torch.empty(2, 7, 6, device="meta")
    looks = {
        name: lambda pair=pair: scores_of(*(part.clone() for part in pair))
        for name, pair in inputs.items()
    }
    split = [_as_split(part) for part in inputs["heads"]]
    large = 60 * q.half(), 60 * k.half()  # whose scores are up to half of what float16 holds
    return looks | {
        "large": lambda: scores_of(100 * q, 100 * k),
        "as heads are split": lambda: scores_of(*split),
        "gradients": lambda: student.grad(exercise, q, k, upstream=upstream).inputs,
        "bfloat16": lambda: scores_of(q.bfloat16(), k.bfloat16()),
        "float16, large": lambda: scores_of(*large),
        "changed": lambda: (scores_of(q.clone(), k.clone()), student.changed_inputs)[1],
        "meta": lambda: scores_of(*meta),
    }


@probe("attention_weights", numerics=("apart",))
def observe_attention_weights(student: Any) -> Observations:
    """Weights of fixed scores: of every rank, square, far apart, in bfloat16, with gradients."""
    draw = Draw(b"probe", "attention_weights")
    shapes = {
        "matrix": (5, 7),
        "batch": (2, 5, 7),
        "heads": (2, 3, 5, 7),
        "square": (4, 4),
        "square batch": (3, 4, 4),
        "one query": (2, 1, 7),
        "three in front": (2, 2, 3, 5, 4),
    }
    inputs = {name: draw.normal(*shape, dtype=torch.float64) for name, shape in shapes.items()}
    matrix = inputs["matrix"]
    in_steps = (64 * matrix).round() / 64  # float32 holds all of them, far from 0 as well
    apart = in_steps + torch.tensor([[1000.0], [-1000.0], [0.0], [0.0], [0.0]])
    upstream = draw.normal(5, 7, dtype=torch.float64)
    looks = {
        name: lambda scores=scores: student.attention_weights(scores.clone())
        for name, scores in inputs.items()
    }
    split = _as_split(inputs["heads"])
    return looks | {
        "far": lambda: student.attention_weights(1e4 * matrix),
        "spread": lambda: student.attention_weights(8 * matrix),
        "as heads are split": lambda: student.attention_weights(split),
        "apart": lambda: student.attention_weights(apart.clone()),
        "gradients": lambda: student.grad("attention_weights", matrix, upstream=upstream).inputs,
        "bfloat16": lambda: student.attention_weights(matrix.bfloat16()),
        "changed": lambda: (
            student.attention_weights(inputs["batch"].clone()),
            student.changed_inputs,
        )[1],
        "meta": lambda: student.attention_weights(torch.empty(5, 7, device="meta")),
    }


@probe("weighted_values")
def observe_weighted_values(student: Any) -> Observations:
    """Averages of fixed values: of every rank, square, in bfloat16, with gradients."""
    draw = Draw(b"probe", "weighted_values")
    pairs = {
        "matrix": ((5, 7), (7, 3)),
        "batch": ((2, 5, 7), (2, 7, 3)),
        "heads": ((2, 3, 5, 7), (2, 3, 7, 4)),
        "square": ((4, 4), (4, 4)),
        "square batch": ((4, 4, 4), (4, 4, 4)),
        "more features than keys": ((5, 3), (3, 8)),
        "three in front": ((2, 2, 3, 5, 4), (2, 2, 3, 4, 3)),
    }
    inputs = {
        name: (
            draw.normal(*first, dtype=torch.float64).softmax(-1),
            draw.normal(*second, dtype=torch.float64),
        )
        for name, (first, second) in pairs.items()
    }
    weights, v = inputs["batch"]
    upstream = draw.normal(2, 5, 3, dtype=torch.float64)
    meta = torch.empty(2, 5, 7, device="meta"), torch.empty(2, 7, 3, device="meta")
    looks = {
        name: lambda pair=pair: student.weighted_values(*(part.clone() for part in pair))
        for name, pair in inputs.items()
    }
    split = [_as_split(part) for part in inputs["heads"]]
    return looks | {
        "small weights": lambda: student.weighted_values((9 * weights.log()).softmax(-1), v),
        "as heads are split": lambda: student.weighted_values(*split),
        "gradients": lambda: student.grad("weighted_values", weights, v, upstream=upstream).inputs,
        "bfloat16": lambda: student.weighted_values(weights.bfloat16(), v.bfloat16()),
        "changed": lambda: (
            student.weighted_values(weights.clone(), v.clone()),
            student.changed_inputs,
        )[1],
        "meta": lambda: student.weighted_values(*meta),
    }


@probe("simple_attention")
def observe_simple_attention(student: Any) -> Observations:
    """Output and weights of fixed tokens: of every rank, square, long, in bfloat16."""
    draw = Draw(b"probe", "simple_attention")
    shapes = {
        "matrix": (5, 3),
        "batch": (2, 5, 3),
        "heads": (2, 3, 5, 4),
        "square": (4, 4),
        "wide": (5, 7),
        "one token": (2, 1, 3),
    }
    inputs = {
        name: draw.normal(*shape, dtype=torch.float64, scale=0.8) for name, shape in shapes.items()
    }
    x, upstream = inputs["batch"], draw.normal(2, 5, 3, dtype=torch.float64)
    looks = {name: lambda x=x: student.simple_attention(x.clone()) for name, x in inputs.items()}
    return looks | {
        "long": lambda: student.simple_attention(60 * x),
        "gradients": lambda: student.grad("simple_attention", x, upstream=upstream).inputs,
        "bfloat16": lambda: student.simple_attention(x.bfloat16()),
        "changed": lambda: (student.simple_attention(x.clone()), student.changed_inputs)[1],
        "meta": lambda: student.simple_attention(torch.empty(2, 5, 3, device="meta")),
    }


def _as_split(heads: torch.Tensor) -> torch.Tensor:
    """The same, in memory as cutting features into heads leaves it."""
    return heads.transpose(1, 2).contiguous().transpose(1, 2)
