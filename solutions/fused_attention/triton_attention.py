"""Reference solution of the last exercise of 05, apart from the others: it needs Triton."""

import math

import triton
import triton.language as tl
from jaxtyping import Float
from torch import Tensor


@triton.jit
def triton_attention_kernel(
    q_ptr,
    k_ptr,
    v_ptr,
    output_ptr,
    queries,
    keys,
    d_k,
    d_v,
    scale,
    is_causal: tl.constexpr,
    BLOCK_Q: tl.constexpr,
    BLOCK_K: tl.constexpr,
    WIDTH_K: tl.constexpr,
    WIDTH_V: tl.constexpr,
):
    """One program: the outputs of BLOCK_Q queries of one head, over all of its keys.

    q, k, v and output lie as (heads, rows, width), row after row, without gaps: number j of row i
    of head h stands at (h · rows + i) · width + j. WIDTH_K and WIDTH_V are d_k and d_v, rounded up
    to powers of two, and to 16 at least.
    """
    head = tl.program_id(0).to(tl.int64)
    rows = tl.program_id(1) * BLOCK_Q + tl.arange(0, BLOCK_Q)  # which queries
    in_k, in_v = tl.arange(0, WIDTH_K), tl.arange(0, WIDTH_V)  # which numbers of a row
    q_at = (head * queries + rows[:, None]) * d_k + in_k[None, :]  # (BLOCK_Q, WIDTH_K)
    is_q = (rows[:, None] < queries) & (in_k[None, :] < d_k)
    q = tl.load(q_ptr + q_at, mask=is_q, other=0.0)
    ### BEGIN SOLUTION
    highest = tl.full((BLOCK_Q,), -float("inf"), tl.float32)  # m, l and o of tiled_attention
    total = tl.zeros((BLOCK_Q,), tl.float32)
    output = tl.zeros((BLOCK_Q, WIDTH_V), tl.float32)
    end = keys
    if is_causal:  # no query of this block sees any further
        end = tl.minimum(keys, (tl.program_id(1) + 1) * BLOCK_Q)
    for start in range(0, end, BLOCK_K):
        columns = start + tl.arange(0, BLOCK_K)  # which keys
        is_key = columns[:, None] < keys
        k_at = (head * keys + columns[:, None]) * d_k + in_k[None, :]
        v_at = (head * keys + columns[:, None]) * d_v + in_v[None, :]
        k = tl.load(k_ptr + k_at, mask=is_key & (in_k[None, :] < d_k), other=0.0)
        v = tl.load(v_ptr + v_at, mask=is_key & (in_v[None, :] < d_v), other=0.0)
        scores = tl.dot(q, tl.trans(k), input_precision="ieee") * scale  # (BLOCK_Q, BLOCK_K)
        allowed = columns[None, :] < keys
        if is_causal:
            allowed = allowed & (columns[None, :] <= rows[:, None])
        scores = tl.where(allowed, scores, -float("inf"))
        higher = tl.maximum(highest, tl.max(scores, axis=1))
        rescale, weights = tl.exp(highest - higher), tl.exp(scores - higher[:, None])
        total = rescale * total + tl.sum(weights, axis=1)
        block = tl.dot(weights.to(v.dtype), v, input_precision="ieee")
        output = rescale[:, None] * output + block
        highest = higher
    output = output / total[:, None]
    output_at = (head * queries + rows[:, None]) * d_v + in_v[None, :]
    is_output = (rows[:, None] < queries) & (in_v[None, :] < d_v)
    tl.store(output_ptr + output_at, output, mask=is_output)
    ### END SOLUTION


def triton_attention(
    q: Float[Tensor, "... queries d_k"],
    k: Float[Tensor, "... keys d_k"],
    v: Float[Tensor, "... keys d_v"],
    is_causal: bool = False,
) -> Float[Tensor, "... queries d_v"]:
    """Attend by a kernel of your own: softmax(q kᵀ / sqrt(d_k)) v, the scores in blocks on chip.

    Every program of `triton_attention_kernel` works out one block of queries of one head, by the
    recurrence of `tiled_attention`. PyTorch makes the tensor for the output; it adds, multiplies
    and divides nothing.

    Args:
        q: queries, one row a position, after any number of leading dimensions; it is not changed.
        k: keys, as wide as the queries; their number may differ; it is not changed.
        v: values, one for each key; their width may differ; it is not changed.
        is_causal: whether query i may attend to keys 0 to i only. There are as many queries as
            keys then.
    Returns:
        one averaged value a query; same dtype and device as q. Sums are kept in float32 whatever
        the dtype. No gradient flows back.
    Raises:
        ValueError: keys are not as wide as queries, or there are not as many values as keys. The
            text names both numbers.
    Source: Dao et al. 2022, "FlashAttention", algorithm 1.
    """
    ### BEGIN SOLUTION
    (queries, d_k), (keys, d_v) = q.shape[-2:], v.shape[-2:]
    if k.shape[-1] != d_k:
        raise ValueError(f"keys are {k.shape[-1]} wide and queries {d_k}")
    if k.shape[-2] != keys:
        raise ValueError(f"there are {k.shape[-2]} keys and {keys} values")
    output = q.new_empty((*q.shape[:-1], d_v))
    grid = (q.shape[:-2].numel(), triton.cdiv(queries, 64))
    triton_attention_kernel[grid](
        *(q.contiguous(), k.contiguous(), v.contiguous(), output),
        *(queries, keys, d_k, d_v, 1 / math.sqrt(d_k), is_causal),
        BLOCK_Q=64,
        BLOCK_K=32,
        WIDTH_K=max(16, triton.next_power_of_2(d_k)),
        WIDTH_V=max(16, triton.next_power_of_2(d_v)),
    )
    return output
    ### END SOLUTION
