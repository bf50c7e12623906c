"""Masks drawn as text, so that a check shows what is wanted and not how to compute it."""

import torch
from torch import Tensor


def allowed(drawing: str) -> Tensor:
    """The boolean mask of a drawing such as "x.. xx. xxx": a word a row, `x` where allowed."""
    return torch.tensor([[mark == "x" for mark in row] for row in drawing.split()])
