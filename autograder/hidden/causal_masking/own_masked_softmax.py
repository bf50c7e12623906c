"""What a masked_softmax of the student's own does to the causal_attention that calls it."""

import math
from collections.abc import Iterable
from typing import Any

from torch import Tensor

from autograder.checks.errors import StudentError
from autograder.judging import Wrong, assert_gradients_match
from autograder.judging.draw import Draw
from solutions import causal_masking as reference


def are_finite(gradients: Iterable[Tensor | None]) -> bool:
    """Whether no gradient is infinite or NaN."""
    return all(bool(one.isfinite().all()) for one in gradients if one is not None)


def hands_back_finite_gradients(student: Any, q: Tensor, k: Tensor, upstream: Tensor) -> bool:
    """Whether it does so for the scores of these queries and keys.

    Args:
        student: the student's code.
        q: queries, (batch, seq, d_k).
        k: keys, of the same shape.
        upstream: the cotangent of attention's output, (batch, seq, d_v).
    """
    scores, mask = q @ k.mT / math.sqrt(k.shape[-1]), reference.causal_mask(k.shape[-2])
    weights = upstream[..., :1].expand_as(scores).contiguous()
    try:
        found = student.grad("masked_softmax", scores, mask, upstream=weights)
    except StudentError:
        return True
    return are_finite(found.inputs)


def spoils_gradients(student: Any, q: Tensor, k: Tensor, v: Tensor) -> bool:
    """Whether it hands wrong gradients back, or gives a future token a weight or a gradient."""
    scores, upstream, mask = q @ k.mT, v @ v.mT, reference.causal_mask(q.shape[-2])
    found = student.grad("masked_softmax", scores, mask, upstream=upstream)
    try:
        assert_gradients_match(found, reference.masked_softmax, scores, mask, upstream=upstream)
    except Wrong:
        return True
    return bool((found.value.triu(1) != 0).any() or (found.inputs[0].triu(1) != 0).any())


def changes_inputs(student: Any, draw: Draw) -> bool:
    """Whether it changes what it was given."""
    student.masked_softmax(draw.normal(5, 5), reference.causal_mask(5))
    return bool(student.changed_inputs)
