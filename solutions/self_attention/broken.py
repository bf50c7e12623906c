"""What students of 02-self-attention are given to repair: three slips that stand in public code."""

import math

import torch
from torch import Tensor, nn


class RepairedAttention(nn.Module):
    """Returns one value where two are promised, scales by sqrt(d_model), softmax over queries."""

    def __init__(self, d_model: int, d_k: int, d_v: int, bias: bool = False) -> None:
        """Make the three projections."""
        super().__init__()
        ### BEGIN SOLUTION
        self.w_q = nn.Linear(d_model, d_k, bias)
        self.w_k = nn.Linear(d_model, d_k, bias)
        self.w_v = nn.Linear(d_model, d_v, bias)
        self.scale = math.sqrt(d_model)
        ### END SOLUTION

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Attend, wrongly."""
        ### BEGIN SOLUTION
        q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
        scores = q @ k.mT / self.scale
        if mask is not None:
            scores = torch.where(mask, scores, -math.inf)
        weights = torch.softmax(scores, dim=-2)
        return weights @ v
        ### END SOLUTION
