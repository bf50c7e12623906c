"""Reference solutions of 03-causal-masking: who may attend to whom."""

import torch
from jaxtyping import Bool
from torch import Tensor


def causal_mask(
    seq_len: int, device: torch.device | str | None = None
) -> Bool[Tensor, "seq_len seq_len"]:
    """Let every position attend to itself and to what came before: mask_ij = (j <= i).

    The mask is True where attention is allowed, as in `F.scaled_dot_product_attention`. Row i
    belongs to query i, column j to key j.

    Args:
        seq_len: number of positions, 1 or more.
        device: where to make the mask; None is torch's default device.
    Returns:
        mask, boolean; row i allows keys 0 to i and no later one.
    Source: Vaswani et al. 2017, section 3.2.3.
    """
    ### BEGIN SOLUTION
    return torch.ones(seq_len, seq_len, dtype=torch.bool, device=device).tril()
    ### END SOLUTION
