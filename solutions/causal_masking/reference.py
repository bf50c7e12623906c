"""Reference solutions of 03-causal-masking: who may attend to whom."""

import math

import torch
from jaxtyping import Bool, Float, Int
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


def padding_mask(
    lengths: Int[Tensor, " batch"] | list[int], max_len: int
) -> Bool[Tensor, "batch max_len"]:
    """Tell real tokens from padding: mask_bj = (j < lengths_b).

    The mask is True where a real token stands, so that it may be attended to. The padding stands
    at the end of each sequence.

    Args:
        lengths: how many real tokens each sequence has, 0 or more: a tensor of whole numbers or a
            list; it is not changed. A length above max_len counts as max_len.
        max_len: number of positions that every sequence is padded to.
    Returns:
        mask, boolean, one row a sequence; on the device of `lengths`, or for a list on torch's
        default device.
    """
    ### BEGIN SOLUTION
    lengths = torch.as_tensor(lengths)
    return torch.arange(max_len, device=lengths.device) < lengths[:, None]  # (batch, max_len)
    ### END SOLUTION


def combine_masks(
    causal: Bool[Tensor, "seq_len seq_len"], padding: Bool[Tensor, "batch seq_len"]
) -> Bool[Tensor, "batch 1 seq_len seq_len"]:
    """Allow a key where both masks do: mask_b0ij = causal_ij and padding_bj.

    Padding is about keys: nobody may attend to a padding token. A row that belongs to a padding
    token's own query is nothing special, since nobody uses what comes out there.

    Args:
        causal: True where query i may attend to key j; it is not changed.
        padding: True where a real token stands, whether the padding is at the end, at the start or
            in between; it is not changed.
    Returns:
        mask, boolean, True where attention is allowed; it broadcasts to scores of the shape
        (batch, heads, seq_len, seq_len), and is on the device of the two masks.
    """
    ### BEGIN SOLUTION
    return causal & padding[:, None, None, :]  # (seq, seq) & (batch, 1, 1, seq)
    ### END SOLUTION


def additive_mask(mask: Bool[Tensor, "..."], dtype: torch.dtype) -> Float[Tensor, "..."]:
    """Turn a boolean mask into numbers to add to the scores: 0 where allowed, else minus infinity.

    Args:
        mask: True where attention is allowed; any shape; it is not changed.
        dtype: the scores' dtype: float16, bfloat16, float32 or float64.
    Returns:
        exactly 0 where the mask is True and exactly -inf where it is False; same shape and device
        as the mask.
    """
    ### BEGIN SOLUTION
    zeros = torch.zeros(mask.shape, dtype=dtype, device=mask.device)
    return zeros.masked_fill(~mask, -torch.inf)
    ### END SOLUTION


def masked_softmax(
    scores: Float[Tensor, "... queries keys"], mask: Bool[Tensor, "..."]
) -> Float[Tensor, "... queries keys"]:
    """Share out each query's attention among the keys that it may attend to.

    w_ij = mask_ij exp(s_ij) / Σ_j' mask_ij' exp(s_ij'). A forbidden key's weight is exactly 0,
    whatever finite number its score is. A query that may attend to nothing gets only zeros, and
    then neither the weights nor the gradient of the scores hold NaN.

    Args:
        scores: row i holds query i's score for every key; finite numbers; it is not changed.
        mask: True where attention is allowed; anything that broadcasts to the scores, such as
            (keys,), (queries, keys) or (batch, 1, 1, keys); it is not changed.
    Returns:
        weights; each row sums to 1, or to 0 where nothing is allowed; same shape, dtype and device
        as scores.
    Source: Vaswani et al. 2017, section 3.2.3.
    """
    ### BEGIN SOLUTION
    dead = ~mask.any(dim=-1, keepdim=True)  # queries that may attend to nothing
    scores = scores.masked_fill(~mask, -torch.inf).masked_fill(dead, 0.0)
    return torch.softmax(scores, dim=-1).masked_fill(dead, 0.0)
    ### END SOLUTION


def causal_attention(
    q: Float[Tensor, "... seq d_k"],
    k: Float[Tensor, "... seq d_k"],
    v: Float[Tensor, "... seq d_v"],
) -> tuple[Float[Tensor, "... seq d_v"], Float[Tensor, "... seq seq"]]:
    """Let every position attend to itself and to the past: softmax(s) v.

    Here s_ij = q_i k_j / sqrt(d_k) for j <= i, and -∞ *in place of* a score of the future. Whatever
    finite numbers stand in the future, no bit of the past changes, not even where a score of them
    overflows to infinity. Where no score does, no gradient flows from the past into the future, and
    those of the past are finite. You may use your functions from above.

    Args:
        q: queries, one row a position, after any number of leading dimensions.
        k: keys, as many and as wide as the queries.
        v: values, as many as the keys; their width may differ. None of the three is changed.
    Returns:
        output: one row a position, as wide as a value.
        weights: row i sums to 1, and is exactly 0 after key i.
        Both have the dtype and the device of q.
    Raises:
        ValueError: there are not as many keys as queries; the text names both numbers.
    Source: Vaswani et al. 2017, sections 3.2.1 and 3.2.3.
    """
    ### BEGIN SOLUTION
    queries, keys = q.shape[-2], k.shape[-2]
    if queries != keys:
        raise ValueError(f"causal attention needs as many keys as queries: {queries} and {keys}")
    scores = q @ k.mT / math.sqrt(k.shape[-1])
    weights = masked_softmax(scores, causal_mask(keys, device=q.device))
    return weights @ v, weights
    ### END SOLUTION


def causal_mask_for_cache(num_queries: int, num_keys: int) -> Bool[Tensor, "num_queries num_keys"]:
    """Let the last num_queries of num_keys positions attend to themselves and to what came before.

    mask_ij = (j <= i + num_keys - num_queries). The mask is True where attention is allowed. Query
    i stands at position i + num_keys - num_queries, so that the last query sees every key.

    Args:
        num_queries: number of new positions, 1 or more.
        num_keys: number of positions in all, those in the cache and the new ones.
    Returns:
        mask, boolean, on torch's default device.
    Raises:
        ValueError: there are more queries than keys; the text names both numbers.
    """
    ### BEGIN SOLUTION
    if num_queries > num_keys:
        raise ValueError(f"{num_queries} queries cannot be the last of {num_keys} positions")
    return torch.ones(num_queries, num_keys, dtype=torch.bool).tril(num_keys - num_queries)
    ### END SOLUTION


def sliding_window_mask(seq_len: int, window: int) -> Bool[Tensor, "seq_len seq_len"]:
    """Let every position attend to the last `window` positions, itself included.

    mask_ij = (i - window < j <= i). The mask is True where attention is allowed.

    Args:
        seq_len: number of positions, 1 or more.
        window: how many keys a query may attend to at most, 1 or more; it may exceed seq_len.
    Returns:
        mask, boolean, on torch's default device; row i allows keys i - window + 1 to i, as far as
        there are such.
    Source: Beltagy et al. 2020, Longformer, section 3.1 (there to both sides).
    """
    ### BEGIN SOLUTION
    positions = torch.arange(seq_len)
    back = positions[:, None] - positions  # how far behind query i key j stands
    return (back >= 0) & (back < window)
    ### END SOLUTION
