"""Reference solutions of 01-attention-by-hand: from scores to weights, and on to the output."""

import math

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor


def softmax(x: Float[np.ndarray, "..."], axis: int = -1) -> Float[np.ndarray, "..."]:
    """Turn scores into shares, none below 0, that sum to 1: exp(x_i) / Σ_j exp(x_j).

    Adding one number to all scores changes no share. Use that freedom, so that scores as large
    as 10,000 give finite shares too. Write it in NumPy.

    Args:
        x: scores, with one dimension or more, in float64, float32 or float16; it is not changed.
        axis: the axis along which the shares sum to 1.
    Returns:
        shares; same shape and dtype as x.
    Source: Goodfellow et al. 2016, section 4.1.
    """
    ### BEGIN SOLUTION
    shifted = x - x.max(axis=axis, keepdims=True)  # the largest is 0, so exp cannot overflow
    exponentials = np.exp(shifted)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
    ### END SOLUTION


def dot_product_scores(
    q: Float[Tensor, "... queries d_k"], k: Float[Tensor, "... keys d_k"]
) -> Float[Tensor, "... queries keys"]:
    """Score every query against every key by their dot product: q kᵀ.

    Args:
        q: queries, one row a position, after any number of leading dimensions; it is not changed.
        k: keys, as wide as the queries, with the same dimensions in front; their number may differ;
            it is not changed.
    Returns:
        scores; row i holds query i's score for every key; same dtype and device as q and k.
    Source: Vaswani et al. 2017, section 3.2.1.
    """
    ### BEGIN SOLUTION
    return q @ k.mT  # (..., queries, d_k) @ (..., d_k, keys)
    ### END SOLUTION


def scaled_scores(
    q: Float[Tensor, "... queries d_k"], k: Float[Tensor, "... keys d_k"]
) -> Float[Tensor, "... queries keys"]:
    """Score every query against every key: q kᵀ / sqrt(d_k).

    Dividing by sqrt(d_k) keeps the scores' spread near 1 whatever the width, so that softmax does
    not saturate. You may use your dot_product_scores.

    Args:
        q: queries, one row a position, after any number of leading dimensions; it is not changed.
        k: keys, as wide as the queries, with the same dimensions in front; their number may differ;
            it is not changed.
    Returns:
        scores; row i holds query i's score for every key; same dtype and device as q and k.
    Source: Vaswani et al. 2017, section 3.2.1.
    """
    ### BEGIN SOLUTION
    return dot_product_scores(q, k) / math.sqrt(k.shape[-1])
    ### END SOLUTION


def attention_weights(
    scores: Float[Tensor, "... queries keys"],
) -> Float[Tensor, "... queries keys"]:
    """Turn each query's scores into weights over the keys: exp(s_ij) / Σ_j' exp(s_ij').

    Large scores survive: 1000 beside 999 gets 0.7311, as 1 beside 0 does, and nothing overflows.

    Args:
        scores: row i holds query i's score for every key; any number of leading dimensions; it is
            not changed.
    Returns:
        weights; none below 0, and each query's row sums to 1; same shape, dtype and device as
            scores.
    Source: Vaswani et al. 2017, section 3.2.1.
    """
    ### BEGIN SOLUTION
    return torch.softmax(scores, dim=-1)
    ### END SOLUTION


def weighted_values(
    weights: Float[Tensor, "... queries keys"], v: Float[Tensor, "... keys d_v"]
) -> Float[Tensor, "... queries d_v"]:
    """Give each query the average of all values, weighted by its own row: Σ_j w_ij v_j.

    Args:
        weights: row i holds query i's weight for every key, and sums to 1; any number of leading
            dimensions; it is not changed.
        v: values, one row a key, with the same dimensions in front; their width is their own
            affair; it is not changed.
    Returns:
        outputs, one row a query, as wide as a value; same dtype and device as v.
    Source: Vaswani et al. 2017, section 3.2.1.
    """
    ### BEGIN SOLUTION
    return weights @ v  # (..., queries, keys) @ (..., keys, d_v)
    ### END SOLUTION


def simple_attention(
    x: Float[Tensor, "... seq d"],
) -> tuple[Float[Tensor, "... seq d"], Float[Tensor, "... seq seq"]]:
    """Let tokens attend to each other by raw similarity: softmax(x xᵀ) x.

    Nothing is learnt: each token's vector is its query, its key and its value at once. The scores
    are plain dot products and are *not* divided by a root. You may use your functions from above.

    Args:
        x: tokens, one row a position; any number of leading dimensions; it is not changed.
    Returns:
        output: one row a token, the average of all tokens by its weights; shaped like x.
        weights: row i holds what token i gives to every token, and sums to 1.
        Both have the dtype and the device of x. Gradients flow back through the output; through the
        weights nobody follows them.
    """
    ### BEGIN SOLUTION
    weights = attention_weights(dot_product_scores(x, x))
    return weighted_values(weights, x), weights
    ### END SOLUTION
