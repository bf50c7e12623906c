"""The law of a batch: each of its matrices gets what it would get alone."""

import math
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import torch
from torch import Tensor

from checks.kit.describing import form_text
from checks.kit.expectation import Mismatch


def drawn(*shape: int, dtype: torch.dtype = torch.float64) -> Tensor:
    """Numbers about 0, the same in every run and no two alike; others for every shape."""
    numbers = torch.Generator().manual_seed(sum(map(math.prod, enumerate(shape, start=7))))
    return torch.randn(*shape, generator=numbers, dtype=torch.float64).to(dtype)


def each_alone(call: Callable[..., Any], *batches: Tensor) -> list[Tensor]:
    """What comes back for every matrix of a batch by itself, put together again.

    Args:
        call: the student's function.
        batches: its arguments, with the same leading dimensions and a matrix behind them.
    Returns:
        one tensor for each value that comes back.
    Raises:
        Mismatch: something else than tensors comes back for a single matrix.
    """
    lead = batches[0].shape[:-2]
    found = [call(*(batch[place] for batch in batches)) for place in product(*map(range, lead))]
    values = [list(one) if isinstance(one, (tuple, list)) else [one] for one in found]
    if not all(isinstance(part, Tensor) for one in values for part in one):
        says = "Without a batch, no tensor comes back. Look at the first check first."
        raise Mismatch(form_text(found[0]), "tensors", says)
    return [_together(parts, lead) for parts in zip(*values, strict=True)]


def _together(parts: Sequence[Tensor], lead: torch.Size) -> Tensor:
    if len({part.shape for part in parts}) > 1:
        says = "Matrices of one shape give results of several shapes."
        raise Mismatch(" and ".join(str(tuple(part.shape)) for part in parts), "one shape", says)
    return torch.stack(list(parts)).reshape(*lead, *parts[0].shape)
