"""Reference solutions of 04-multi-head-attention: one wide vector, several narrow heads."""

import math

from jaxtyping import Bool, Float
from torch import Tensor, nn


def split_heads(
    x: Float[Tensor, "batch seq d_model"], num_heads: int
) -> Float[Tensor, "batch num_heads seq d_head"]:
    """Give every head its own slice of each token's features.

    out[b, h, s] = x[b, s, h·d_head : (h+1)·d_head]. Head h owns a contiguous block of d_head =
    d_model / num_heads features. A token's features stay with that token.

    Args:
        x: one vector a token; always three dimensions; it is not changed.
        num_heads: how many heads share d_model.
    Returns:
        the slices, head before position; same dtype and device as x.
    Raises:
        ValueError: d_model is not a multiple of num_heads, or num_heads is below 1. The text
            names both numbers.
    Source: Vaswani et al. 2017, section 3.2.2.
    """
    ### BEGIN SOLUTION
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"d_model ({d_model}) is not a multiple of num_heads ({num_heads})")
    per_head = x.unflatten(-1, (num_heads, d_model // num_heads))  # (batch, seq, heads, d_head)
    return per_head.transpose(1, 2)  # (batch, heads, seq, d_head)
    ### END SOLUTION


def merge_heads(
    x: Float[Tensor, "batch num_heads seq d_head"],
) -> Float[Tensor, "batch seq d_model"]:
    """Lay the heads' slices side by side again: the exact inverse of `split_heads`.

    out[b, s, h·d_head : (h+1)·d_head] = x[b, h, s], with d_model = num_heads · d_head.

    Args:
        x: one slice a head and token; always four dimensions; it is not changed.
    Returns:
        one vector a token; same dtype and device as x.
    Source: Vaswani et al. 2017, section 3.2.2.
    """
    ### BEGIN SOLUTION
    return x.transpose(1, 2).flatten(2)  # (batch, seq, heads, d_head), then heads · d_head
    ### END SOLUTION


class MultiHeadAttention(nn.Module):
    """Self-attention with several heads: each head attends by itself, then their findings mix.

    head_h = softmax(q_h k_hᵀ / sqrt(d_head)) v_h, where q = w_q(x), k = w_k(x) and v = w_v(x) are
    split over the heads; output = w_o([head_0 head_1 ...]).

    `w_q`, `w_k`, `w_v` and `w_o` are each `nn.Linear(d_model, d_model)`. Head h owns the contiguous
    block of d_head = d_model / num_heads features that starts at h · d_head. Graders load weights
    into the four, so names matter; what else your module keeps is its own affair.

    Args:
        d_model: width of the input and of the output.
        num_heads: how many heads share d_model.
        bias: whether the four projections add a bias.
    Raises:
        ValueError: d_model is not a multiple of num_heads, or num_heads is below 1. The text
            names both numbers.
    Source: Vaswani et al. 2017, section 3.2.2.
    """

    def __init__(self, d_model: int, num_heads: int, bias: bool = True) -> None:
        """Make the four projections `w_q`, `w_k`, `w_v` and `w_o`."""
        super().__init__()
        ### BEGIN SOLUTION
        if num_heads < 1 or d_model % num_heads:
            raise ValueError(f"d_model ({d_model}) is not a multiple of num_heads ({num_heads})")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model, bias=bias)
        self.w_k = nn.Linear(d_model, d_model, bias=bias)
        self.w_v = nn.Linear(d_model, d_model, bias=bias)
        self.w_o = nn.Linear(d_model, d_model, bias=bias)
        ### END SOLUTION

    def forward(
        self, x: Float[Tensor, "batch seq d_model"], mask: Bool[Tensor, "..."] | None = None
    ) -> tuple[Float[Tensor, "batch seq d_model"], Float[Tensor, "batch heads queries keys"]]:
        """Attend from every position of x to every position that is allowed, in every head.

        Args:
            x: one vector a token; it is not changed.
            mask: True where attention is allowed; two to four dimensions that broadcast to (batch,
                heads, queries, keys); every query is allowed at least one key. None allows all.
        Returns:
            one vector a token, and the weights of every head; a weight that the mask forbids is
            exactly 0. Both have the dtype and the device of x.
        """
        ### BEGIN SOLUTION
        q, k, v = (split_heads(w(x), self.num_heads) for w in (self.w_q, self.w_k, self.w_v))
        scores = q @ k.mT / math.sqrt(q.shape[-1])  # (batch, heads, queries, keys)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = scores.softmax(dim=-1)
        return self.w_o(merge_heads(weights @ v)), weights
        ### END SOLUTION


def to_torch_mask(mask: Bool[Tensor, "*shape"]) -> Bool[Tensor, "*shape"]:
    """Turn a mask of ours into one that `nn.MultiheadAttention` takes.

    Ours is True where attention is allowed, as for `F.scaled_dot_product_attention`. For
    `nn.MultiheadAttention` (its `attn_mask` and its `key_padding_mask`), True forbids.

    Args:
        mask: True where attention is allowed; any shape; it is not changed.
    Returns:
        True where attention is forbidden; boolean, same shape and device as mask.
    Source: PyTorch's documentation of `nn.MultiheadAttention`, `attn_mask`.
    """
    ### BEGIN SOLUTION
    return ~mask
    ### END SOLUTION
