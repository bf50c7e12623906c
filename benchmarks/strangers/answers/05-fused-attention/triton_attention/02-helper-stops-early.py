def _up(n):
    power = 16
    while power < n:
        power *= 2
    return power


@triton.jit
def triton_attention_kernel(
    q_ptr, k_ptr, v_ptr, output_ptr, queries, keys, d_k, d_v, scale,
    is_causal: tl.constexpr, BLOCK_Q: tl.constexpr, BLOCK_K: tl.constexpr,
    WIDTH_K: tl.constexpr, WIDTH_V: tl.constexpr,
):
    head = tl.program_id(0).to(tl.int64)
    rows = tl.program_id(1) * BLOCK_Q + tl.arange(0, BLOCK_Q)  # which queries
    in_k, in_v = tl.arange(0, WIDTH_K), tl.arange(0, WIDTH_V)  # which numbers of a row
    q_at = (head * queries + rows[:, None]) * d_k + in_k[None, :]  # (BLOCK_Q, WIDTH_K)
    is_q = (rows[:, None] < queries) & (in_k[None, :] < d_k)
    q = tl.load(q_ptr + q_at, mask=is_q, other=0.0)

    biggest = tl.zeros([BLOCK_Q], dtype=tl.float32) - 1.0e30
    total = tl.zeros([BLOCK_Q], dtype=tl.float32)
    acc = tl.zeros([BLOCK_Q, WIDTH_V], dtype=tl.float32)
    last = keys
    if is_causal:
        # nothing behind the last query of this block counts
        last = tl.minimum(keys, (tl.program_id(1) + 1) * BLOCK_Q)
    for first in range(0, last, BLOCK_K):
        j = first + tl.arange(0, BLOCK_K)
        # keys are loaded lying down: (WIDTH_K, BLOCK_K), so no trans is needed
        k_t = tl.load(
            k_ptr + (head * keys + j[None, :]) * d_k + in_k[:, None],
            mask=(j[None, :] < keys) & (in_k[:, None] < d_k), other=0.0,
        )
        v = tl.load(
            v_ptr + (head * keys + j[:, None]) * d_v + in_v[None, :],
            mask=(j[:, None] < keys) & (in_v[None, :] < d_v), other=0.0,
        )
        s = tl.dot(q, k_t, input_precision="ieee") * scale
        s = tl.where(j[None, :] < keys, s, -1.0e30)
        if is_causal:
            s = tl.where(j[None, :] <= rows[:, None], s, -1.0e30)
        new = tl.maximum(biggest, tl.max(s, 1))
        shrink = tl.exp(biggest - new)
        p = tl.exp(s - new[:, None])
        total = total * shrink + tl.sum(p, 1)
        acc = acc * shrink[:, None] + tl.dot(p, v.to(tl.float32), input_precision="ieee")
        biggest = new
    at = (head * queries + rows[:, None]) * d_v + in_v[None, :]
    inside = (rows[:, None] < queries) & (in_v[None, :] < d_v)
    tl.store(output_ptr + at, acc / total[:, None], mask=inside)


def triton_attention(q, k, v, is_causal=False):
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(f"width of q is {q.shape[-1]}, width of k is {k.shape[-1]}")
    if k.shape[-2] != v.shape[-2]:
        raise ValueError(f"got {k.shape[-2]} keys and {v.shape[-2]} values")
    nq, dk = q.size(-2), q.size(-1)
    nk, dv = v.size(-2), v.size(-1)
    y = q.new_empty(q.shape[:-1] + (dv,))
    heads = q.shape[:-2].numel()
    grid = lambda meta: (heads, triton.cdiv(nq, meta["BLOCK_Q"]))
    triton_attention_kernel[grid](
        q.contiguous(), k.contiguous(), v.contiguous(), y, nq, nk, dk, dv, dk ** -0.5,
        is_causal=is_causal, BLOCK_Q=64, BLOCK_K=32, WIDTH_K=_up(dk), WIDTH_V=_up(dv),
    )
    return y
