"""Inputs for triton_attention: small for whoever runs kernels in Python, longer than any block."""

import torch
from torch import Tensor

from autograder.judging.draw import Draw

# The text asks for blocks of at most 64 keys; 128 are right too.
SEVERAL_BLOCKS = 150
LONGER = 600  # for two queries: one row after the other, a table of it takes seconds
WIDTHS = ((20, 3), (33, 17), (1, 40))  # of keys and values; no powers of two
WIDER = (200, 80)


def one_head(lead: tuple[int, ...]) -> tuple[int, ...]:
    """As many leading dimensions of one head: kernels that are interpreted take their time."""
    return (1,) * len(lead)


def rising_scores(draw: Draw) -> tuple[Tensor, Tensor, Tensor]:
    """Two queries: the scores of one rise by 80 from key to key, those of the other fall."""
    rising = 40 * torch.arange(1.0, SEVERAL_BLOCKS + 1)[:, None] + draw.normal(SEVERAL_BLOCKS, 1)
    q = torch.tensor([[1.0], [-1.0]]).expand(2, 4).clone()
    return q, rising.expand(SEVERAL_BLOCKS, 4).clone(), draw.normal(SEVERAL_BLOCKS, 3)


def loud_future(draw: Draw) -> tuple[Tensor, Tensor, Tensor]:
    """Seven keys: scores rise by 1,000 from one to the next, from -45,000 or so up to 45,000.

    Every query weighs one key alone, so that rounding of such scores does not show.
    """
    steps = 1000 * torch.arange(7.0) + torch.where(torch.arange(7) < 3, -45_000.0, 40_000.0)
    k = steps[:, None].expand(7, 4).clone()
    return torch.full((7, 4), 0.5), k, draw.normal(7, 3)


def scores_far_below(draw: Draw) -> tuple[Tensor, Tensor, Tensor]:
    """Two queries and three keys whose scores are all -2,000,000: every key weighs the same."""
    return torch.full((2, 1), 2000.0), torch.full((3, 1), -1000.0), draw.normal(3, 4)


def scores_beyond_half(draw: Draw) -> tuple[Tensor, Tensor, Tensor]:
    """Keys in float16, of which the first has a score of 80,000, more than float16 holds."""
    k = torch.zeros(5, 4)
    k[0] = 200
    return torch.full((2, 4), 200.0).half(), k.half(), draw.normal(5, 3).half()


def sums_beyond_half(draw: Draw) -> tuple[Tensor, Tensor, Tensor]:
    """300 keys in float16 that weigh nearly the same: their values' sum is more than float16 holds.

    One block's sum is not.
    """
    q, k = 0.01 * draw.normal(3, 4), draw.normal(300, 4)
    v = 300 + draw.normal(300, 3)
    return q.half(), k.half(), v.half()
