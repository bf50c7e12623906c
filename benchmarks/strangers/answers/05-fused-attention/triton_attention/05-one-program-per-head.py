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
    m_i = tl.full([BLOCK_Q], value=float("-inf"), dtype=tl.float32)
    l_i = tl.full([BLOCK_Q], value=0.0, dtype=tl.float32)
    acc = tl.zeros([BLOCK_Q, WIDTH_V], dtype=tl.float32)
    for start_n in range(0, keys, BLOCK_K):
        offs_n = start_n + tl.arange(0, BLOCK_K)
        k = tl.load(k_ptr + (head * keys + offs_n[:, None]) * d_k + in_k[None, :],
                    mask=(offs_n[:, None] < keys) & (in_k[None, :] < d_k), other=0.0)
        v = tl.load(v_ptr + (head * keys + offs_n[:, None]) * d_v + in_v[None, :],
                    mask=(offs_n[:, None] < keys) & (in_v[None, :] < d_v), other=0.0)
        qk = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        qk = tl.where(offs_n[None, :] < keys, qk, float("-inf"))
        if is_causal:
            qk = tl.where(rows[:, None] >= offs_n[None, :], qk, float("-inf"))
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        p = tl.exp(qk - m_ij[:, None])
        alpha = tl.exp(m_i - m_ij)
        l_i = l_i * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m_i = m_ij
    acc = acc / l_i[:, None]
    tl.store(output_ptr + (head * queries + rows[:, None]) * d_v + in_v[None, :], acc,
             mask=(rows[:, None] < queries) & (in_v[None, :] < d_v))


def triton_attention(q, k, v, is_causal=False):
    if q.shape[-1] != k.shape[-1]:
        raise ValueError("q and k must have the same width")
    if k.shape[-2] != v.shape[-2]:
        raise ValueError("k and v must have the same length")
    q, k, v = (t.contiguous() for t in (q, k, v))
    out = torch.empty(q.shape[:-1] + (v.shape[-1],), dtype=q.dtype, device=q.device)
    heads = math.prod(q.shape[:-2])
    triton_attention_kernel[(heads, 1)](
        q, k, v, out, q.shape[-2], k.shape[-2], q.shape[-1], v.shape[-1], 1 / math.sqrt(q.shape[-1]),
        is_causal, BLOCK_Q=32, BLOCK_K=32,
        WIDTH_K=max(triton.next_power_of_2(q.shape[-1]), 16),
        WIDTH_V=max(triton.next_power_of_2(v.shape[-1]), 16))
    return out
