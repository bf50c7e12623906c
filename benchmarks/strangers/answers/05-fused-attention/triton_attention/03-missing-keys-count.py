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
    m = tl.full((BLOCK_Q,), float("-inf"), tl.float32)
    l = tl.zeros((BLOCK_Q,), tl.float32)
    o = tl.zeros((BLOCK_Q, WIDTH_V), tl.float32)
    for start in range(0, keys, BLOCK_K):
        cols = start + tl.arange(0, BLOCK_K)
        is_k = (cols[:, None] < keys) & (in_k[None, :] < d_k)
        is_v = (cols[:, None] < keys) & (in_v[None, :] < d_v)
        k = tl.load(k_ptr + (head * keys + cols[:, None]) * d_k + in_k[None, :], mask=is_k, other=0.0)
        v = tl.load(v_ptr + (head * keys + cols[:, None]) * d_v + in_v[None, :], mask=is_v, other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        if is_causal:
            s = tl.where(cols[None, :] <= rows[:, None], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        p = tl.exp(s - m_new[:, None])
        f = tl.exp(m - m_new)
        l = l * f + tl.sum(p, axis=1)
        o = o * f[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    o_at = (head * queries + rows[:, None]) * d_v + in_v[None, :]
    tl.store(output_ptr + o_at, o / l[:, None], mask=(rows[:, None] < queries) & (in_v[None, :] < d_v))


def triton_attention(q, k, v, is_causal=False):
    queries, d_k = q.shape[-2], q.shape[-1]
    keys, d_v = v.shape[-2], v.shape[-1]
    if k.shape[-1] != d_k:
        raise ValueError(f"{d_k} != {k.shape[-1]}")
    if k.shape[-2] != keys:
        raise ValueError(f"{k.shape[-2]} != {keys}")
    out = torch.empty(*q.shape[:-1], d_v, device=q.device, dtype=q.dtype)
    grid = (out[..., 0, 0].numel(), triton.cdiv(queries, 16))
    triton_attention_kernel[grid](
        q.contiguous(), k.contiguous(), v.contiguous(), out, queries, keys, d_k, d_v, d_k**-0.5, is_causal,
        16, 16, max(16, triton.next_power_of_2(d_k)), max(16, triton.next_power_of_2(d_v)),
    )
    return out
