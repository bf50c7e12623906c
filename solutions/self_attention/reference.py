"""Reference solutions of 02-self-attention: queries, keys and values that are learnt."""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn


def project_qkv(
    x: Float[Tensor, "... seq d_model"],
    w_q: Float[Tensor, "d_model d_k"],
    w_k: Float[Tensor, "d_model d_k"],
    w_v: Float[Tensor, "d_model d_v"],
) -> tuple[
    Float[Tensor, "... seq d_k"], Float[Tensor, "... seq d_k"], Float[Tensor, "... seq d_v"]
]:
    """Make every token's query, key and value: q = x W_q, k = x W_k, v = x W_v.

    Args:
        x: tokens, one row a position; any number of leading dimensions; it is not changed.
        w_q: what turns tokens into queries; no weight is changed.
        w_k: what turns tokens into keys, as wide as the queries.
        w_v: what turns tokens into values; their width is their own affair.
    Returns:
        q, k and v, in this order, one row a token; same dtype and device as x. Gradients flow back
        through all three.
    Source: Vaswani et al. 2017, section 3.2.
    """
    ### BEGIN SOLUTION
    return x @ w_q, x @ w_k, x @ w_v
    ### END SOLUTION


def scaled_dot_product_attention(
    q: Float[Tensor, "... queries d_k"],
    k: Float[Tensor, "... keys d_k"],
    v: Float[Tensor, "... keys d_v"],
    mask: Bool[Tensor, "..."] | None = None,
) -> tuple[Float[Tensor, "... queries d_v"], Float[Tensor, "... queries keys"]]:
    """Attend from every query to every key that is allowed: softmax(q kᵀ / sqrt(d_k)) v.

    Where the mask forbids a key, its score becomes minus infinity before the softmax, so that it
    counts nothing, whatever finite number it was.

    Args:
        q: queries, one row a position; any number of leading dimensions; no input is changed.
        k: keys, as wide as the queries, with the same dimensions in front; their number may differ.
        v: values, one row a key; their width may differ.
        mask: True where attention is allowed; two or more dimensions that broadcast to the scores,
            (..., queries, keys); every query is allowed at least one key. None allows all.
    Returns:
        output: one row a query, the average of the values by its weights.
        weights: one row a query, which sums to 1; a weight that the mask forbids is exactly 0.
        Both have the dtype and the device of q.
    Source: Vaswani et al. 2017, section 3.2.1.
    """
    ### BEGIN SOLUTION
    scores = q @ k.mT / math.sqrt(k.shape[-1])  # (..., queries, keys)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights
    ### END SOLUTION


class SelfAttention(nn.Module):
    """Attention of a sequence to itself, with one head: softmax(q kᵀ / sqrt(d_k)) v.

    q = w_q(x), k = w_k(x) and v = w_v(x), where `w_q` and `w_k` are `nn.Linear(d_model, d_k)` and
    `w_v` is `nn.Linear(d_model, d_v)`. Graders load weights into the three, so names matter; what
    else your module keeps is its own affair.

    Args:
        d_model: width of the input.
        d_k: width of queries and keys.
        d_v: width of values, and so of the output.
        bias: whether the three projections add a bias.
    Source: Vaswani et al. 2017, section 3.2.1.
    """

    def __init__(self, d_model: int, d_k: int, d_v: int, bias: bool = False) -> None:
        """Make the three projections `w_q`, `w_k` and `w_v`."""
        super().__init__()
        ### BEGIN SOLUTION
        self.w_q = nn.Linear(d_model, d_k, bias=bias)
        self.w_k = nn.Linear(d_model, d_k, bias=bias)
        self.w_v = nn.Linear(d_model, d_v, bias=bias)
        ### END SOLUTION

    def forward(
        self, x: Float[Tensor, "... seq d_model"], mask: Bool[Tensor, "..."] | None = None
    ) -> tuple[Float[Tensor, "... seq d_v"], Float[Tensor, "... seq seq"]]:
        """Attend from every position of x to every position that is allowed.

        You may use your scaled_dot_product_attention.

        Args:
            x: one vector a token; any number of leading dimensions; it is not changed.
            mask: True where attention is allowed; two or more dimensions that broadcast to (...,
                seq, seq); every query is allowed at least one key. None allows all.
        Returns:
            the output, one row a token, and the weights; a weight that the mask forbids is exactly
            0. Both have the dtype and the device of x.
        """
        ### BEGIN SOLUTION
        return scaled_dot_product_attention(self.w_q(x), self.w_k(x), self.w_v(x), mask)
        ### END SOLUTION


class RepairedAttention(nn.Module):
    """Attention of a sequence to itself, with one head: softmax(q kᵀ / sqrt(d_k)) v.

    It keeps every promise of SelfAttention: the same arguments, the same layers `w_q`, `w_k` and
    `w_v`, the same two results.

    Args:
        d_model: width of the input.
        d_k: width of queries and keys.
        d_v: width of values, and so of the output.
        bias: whether the three projections add a bias.
    Source: Vaswani et al. 2017, section 3.2.1.
    """

    def __init__(self, d_model: int, d_k: int, d_v: int, bias: bool = False) -> None:
        """Make the three projections `w_q`, `w_k` and `w_v`."""
        super().__init__()
        ### BEGIN SOLUTION
        self.w_q = nn.Linear(d_model, d_k, bias)
        self.w_k = nn.Linear(d_model, d_k, bias)
        self.w_v = nn.Linear(d_model, d_v, bias)
        self.scale = math.sqrt(d_k)
        ### END SOLUTION

    def forward(
        self, x: Float[Tensor, "... seq d_model"], mask: Bool[Tensor, "..."] | None = None
    ) -> tuple[Float[Tensor, "... seq d_v"], Float[Tensor, "... seq seq"]]:
        """Attend from every position of x to every position that is allowed.

        Args:
            x: one vector a token; any number of leading dimensions; it is not changed.
            mask: True where attention is allowed; two or more dimensions that broadcast to (...,
                seq, seq); every query is allowed at least one key. None allows all.
        Returns:
            the output, one row a token, and the weights; a weight that the mask forbids is exactly
            0. Both have the dtype and the device of x.
        """
        ### BEGIN SOLUTION
        q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
        scores = q @ k.mT / self.scale
        if mask is not None:
            scores = torch.where(mask, scores, -math.inf)
        weights = torch.softmax(scores, dim=-1)
        return weights @ v, weights
        ### END SOLUTION
