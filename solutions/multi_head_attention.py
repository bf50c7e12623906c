"""Reference solutions of 04-multi-head-attention: one wide vector, several narrow heads."""

from jaxtyping import Float
from torch import Tensor


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
