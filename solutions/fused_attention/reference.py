"""Reference solutions of 05-fused-attention: attention as it is written for speed."""

import math

import torch
import torch.nn.functional as F  # noqa: N812 - torch's own documentation calls it F
from jaxtyping import Bool, Float
from torch import Tensor, nn


def fuse_qkv(
    w_q: Float[Tensor, "d_model d_model"],
    w_k: Float[Tensor, "d_model d_model"],
    w_v: Float[Tensor, "d_model d_model"],
) -> Float[Tensor, "3*d_model d_model"]:
    """Stack three projection weights, so that one product gives q, k and v: x W_qkvᵀ = [q k v].

    W_qkv = [W_q; W_k; W_v], the semicolons meaning "below". The weights lie as in `nn.Linear`: one
    row for each output feature, so that q = x W_qᵀ.

    Args:
        w_q: weight of the queries' projection; it is not changed.
        w_k: weight of the keys' projection; it is not changed.
        w_v: weight of the values' projection; it is not changed.
    Returns:
        one weight: first all rows of w_q, then of w_k, then of w_v; same dtype and device, and
        gradients flow back to all three.
    Source: Vaswani et al. 2017, section 3.2.2, its three projections written as one.
    """
    ### BEGIN SOLUTION
    return torch.cat((w_q, w_k, w_v))
    ### END SOLUTION


class FusedMultiHeadAttention(nn.Module):
    """Multi-head self-attention with one projection product and PyTorch's fused attention.

    [q k v] = x W_qkvᵀ + b_qkv, then per head softmax(q kᵀ / sqrt(d_head)) v, then the heads side by
    side through `out`. One product gives q, k and v, and `F.scaled_dot_product_attention` does the
    attention: it is not written out by hand.

    `qkv` is `nn.Linear(d_model, 3 * d_model)`. Along its output stand all of q's features, then
    all of k's, then all of v's; within each, head h owns the contiguous block of d_head =
    d_model / num_heads features that starts at h · d_head. `out` is `nn.Linear(d_model, d_model)`.
    Graders load weights into `qkv` and `out`, so names and order matter. The number of heads is
    kept as the attribute `num_heads`: `decode_step` needs it.

    Args:
        d_model: width of the input and of the output.
        num_heads: how many heads share d_model.
        dropout: probability of dropping an attention weight, in training only.
        bias: whether `qkv` and `out` add a bias.
    Raises:
        ValueError: d_model is not a multiple of num_heads, or num_heads is below 1. The text
            names both numbers.
    Source: Vaswani et al. 2017, section 3.2.2; Dao et al. 2022, "FlashAttention".
    """

    def __init__(
        self, d_model: int, num_heads: int, dropout: float = 0.0, bias: bool = True
    ) -> None:
        """Make the two projections `qkv` and `out`."""
        super().__init__()
        ### BEGIN SOLUTION
        if num_heads < 1 or d_model % num_heads:
            raise ValueError(f"d_model ({d_model}) is not a multiple of num_heads ({num_heads})")
        self.num_heads = num_heads
        self.dropout = dropout
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=bias)
        self.out = nn.Linear(d_model, d_model, bias=bias)
        ### END SOLUTION

    def forward(
        self,
        x: Float[Tensor, "batch seq d_model"],
        mask: Bool[Tensor, "..."] | None = None,
        is_causal: bool = False,
    ) -> Float[Tensor, "batch seq d_model"]:
        """Attend from every position of x to every position that is allowed.

        No tensor's value is read back into Python (`.item()`, `if tensor:`, NumPy), and no Python
        loop runs over the batch or over single queries: this works under
        `torch.compile(fullgraph=True)`.

        Args:
            x: one vector a token; it is not changed.
            mask: True where attention is allowed; two to four dimensions that broadcast to (batch,
                heads, queries, keys); every query is allowed at least one key. None allows all.
            is_causal: whether position i may attend to positions 0 to i only. Together with a
                mask, both apply.
        Returns:
            one vector a token; same dtype (outside autocast) and device as x. Without a mask,
            causal or not, no tensor of seq × seq numbers is made.
        """
        ### BEGIN SOLUTION
        per_head = self.qkv(x).unflatten(-1, (3, self.num_heads, -1))  # (batch, seq, 3, heads, d)
        q, k, v = per_head.transpose(1, 3).unbind(2)  # each (batch, heads, seq, d_head)
        if mask is not None and is_causal:  # most of PyTorch's kernels refuse the two together
            seq = x.shape[1]
            mask = mask & torch.ones(seq, seq, dtype=torch.bool, device=x.device).tril()
            is_causal = False
        dropout = self.dropout if self.training else 0.0
        attended = F.scaled_dot_product_attention(
            q, k, v, attn_mask=mask, dropout_p=dropout, is_causal=is_causal
        )
        return self.out(attended.transpose(1, 2).flatten(2))  # heads side by side
        ### END SOLUTION


def fused_from_projections(
    w_q: nn.Linear, w_k: nn.Linear, w_v: nn.Linear, w_o: nn.Linear, num_heads: int
) -> FusedMultiHeadAttention:
    """Make a fused module of four separate projections: the same numbers, so the same outputs.

    qkv.weight = [W_q; W_k; W_v], qkv.bias = [b_q; b_k; b_v]; `out` is as w_o.

    Args:
        w_q: projection to queries, d_model to d_model features; it is not changed.
        w_k: projection to keys, of the same size; it is not changed.
        w_v: projection to values, of the same size; it is not changed.
        w_o: projection of what the heads found, of the same size; it is not changed.
        num_heads: how many heads share d_model.
    Returns:
        the module; its parameters have the projections' dtype and device, and are copies: they can
        be trained, and no projection changes with them. All four projections have a bias, and then
        so has the module, or none has.
    Source: Vaswani et al. 2017, section 3.2.2.
    """
    ### BEGIN SOLUTION
    has_bias = w_q.bias is not None
    attention = FusedMultiHeadAttention(w_q.in_features, num_heads, bias=has_bias).to(w_q.weight)
    with torch.no_grad():
        attention.qkv.weight.copy_(fuse_qkv(w_q.weight, w_k.weight, w_v.weight))
        attention.out.weight.copy_(w_o.weight)
        if has_bias:
            attention.qkv.bias.copy_(torch.cat((w_q.bias, w_k.bias, w_v.bias)))
            attention.out.bias.copy_(w_o.bias)
    return attention
    ### END SOLUTION


def tiled_attention(
    q: Float[Tensor, "... queries d_k"],
    k: Float[Tensor, "... keys d_k"],
    v: Float[Tensor, "... keys d_v"],
    block_size: int,
    is_causal: bool = False,
) -> Float[Tensor, "... queries d_v"]:
    """Attend to the keys block by block: softmax(q kᵀ / sqrt(d_k)) v without its whole table.

    For each query, with the scores s_j of one block of keys: m' = max(m, max_j s_j), then
    l' = e^(m - m') l + Σ_j e^(s_j - m') and o' = e^(m - m') o + Σ_j e^(s_j - m') v_j. It begins
    with m = -inf, l = 0 and o = 0; after the last block, o / l is the output.

    Memory grows with queries times block_size, not with queries times keys. Every block_size gives
    the same output, but for rounding. Do not call `F.scaled_dot_product_attention` here.

    Args:
        q: queries, one row a position, after any number of leading dimensions; it is not changed.
        k: keys, as wide as the queries; their number may differ; it is not changed.
        v: values, one for each key; their width may differ; it is not changed.
        block_size: how many keys are worked through at a time, 1 or more; the last block may hold
            fewer.
        is_causal: whether query i may attend to keys 0 to i only. There are as many queries as
            keys then.
    Returns:
        one averaged value a query; same dtype and device as q.
    Source: Milakov and Gimelshein 2018, "Online normalizer calculation for softmax"; Dao et al.
        2022, "FlashAttention", algorithm 1.
    """
    ### BEGIN SOLUTION
    highest = q.new_full((*q.shape[:-1], 1), -math.inf)  # m, l and o of the docstring
    total = torch.zeros_like(highest)
    output = q.new_zeros((*q.shape[:-1], v.shape[-1]))
    position = torch.arange(k.shape[-2], device=q.device)
    for start in range(0, k.shape[-2], block_size):
        block = slice(start, start + block_size)
        scores = q @ k[..., block, :].mT / math.sqrt(q.shape[-1])  # (..., queries, block)
        if is_causal:
            scores = scores.masked_fill(position[block] > position[:, None], -math.inf)
        higher = torch.maximum(highest, scores.amax(dim=-1, keepdim=True))
        rescale, weights = torch.exp(highest - higher), torch.exp(scores - higher)
        total = rescale * total + weights.sum(dim=-1, keepdim=True)
        output = rescale * output + weights @ v[..., block, :]
        highest = higher
    return output / total
    ### END SOLUTION


def decode_step(
    attention: FusedMultiHeadAttention,
    x_t: Float[Tensor, "batch 1 d_model"],
    cache: tuple[Float[Tensor, "batch heads steps d_head"], ...] | None = None,
) -> tuple[Float[Tensor, "batch 1 d_model"], tuple[Float[Tensor, "batch heads steps d_head"], ...]]:
    """Attend from the newest token to itself and to all before it, whose keys and values are kept.

    y_t = out(softmax(q_t [k_0 ... k_t]ᵀ / sqrt(d_head)) [v_0 ... v_t]) with q_t, k_t and v_t from
    `attention.qkv`. Token by token, this gives the outputs of `attention(x, is_causal=True)`.

    Args:
        attention: your module; without dropout. Only its layers and its `num_heads` are used.
        x_t: the newest token, one position; it is not changed.
        cache: the pair (k, v) of all earlier tokens, as the last step returned it; None at the
            first token. It is not changed: two continuations may start from one cache.
    Returns:
        the newest token's output, and a new cache (k, v), one step longer, the newest step last.
    Source: Shazeer 2019, "Fast Transformer Decoding".
    """
    ### BEGIN SOLUTION
    per_head = attention.qkv(x_t).unflatten(-1, (3, attention.num_heads, -1))
    q, k, v = per_head.transpose(1, 3).unbind(2)  # each (batch, heads, 1, d_head)
    if cache is not None:
        k, v = torch.cat((cache[0], k), dim=2), torch.cat((cache[1], v), dim=2)
    attended = F.scaled_dot_product_attention(q, k, v)  # the newest token may see every key
    return attention.out(attended.transpose(1, 2).flatten(2)), (k, v)
    ### END SOLUTION


def grouped_query_attention(
    q: Float[Tensor, "... heads queries d_k"],
    k: Float[Tensor, "... key_heads keys d_k"],
    v: Float[Tensor, "... key_heads keys d_v"],
    is_causal: bool = False,
) -> Float[Tensor, "... heads queries d_v"]:
    """Attend with fewer heads of keys and values than of queries; each serves a block of them.

    With g = heads / key_heads: output_h = softmax(q_h k_jᵀ / sqrt(d_k)) v_j, where j = h // g. So
    key head 0 serves query heads 0 to g - 1, key head 1 the next g, and so on.

    Args:
        q: queries of every head, after any number of leading dimensions; it is not changed.
        k: keys of key_heads heads, as wide as the queries; it is not changed.
        v: values of as many heads; it is not changed.
        is_causal: whether query i may attend to keys 0 to i only. There are as many queries as
            keys then.
    Returns:
        one averaged value for each query of each head; same dtype and device as q.
    Raises:
        ValueError: heads is not a multiple of key_heads. The text names both numbers.
    Source: Ainslie et al. 2023, "GQA".
    """
    ### BEGIN SOLUTION
    heads, key_heads = q.shape[-3], k.shape[-3]
    if heads % key_heads:
        raise ValueError(f"{heads} query heads are not a multiple of {key_heads} key heads")
    k, v = (t.repeat_interleave(heads // key_heads, dim=-3) for t in (k, v))
    return F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
    ### END SOLUTION
