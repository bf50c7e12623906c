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
    """One program: the outputs of BLOCK_Q queries of one head, over all of its keys."""
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
        k_at = (head * keys + cols[:, None]) * d_k + in_k[None, :]
        k = tl.load(k_ptr + k_at, mask=(cols[:, None] < keys) & (in_k[None, :] < d_k), other=0.0)
        v_at = (head * keys + cols[:, None]) * d_v + in_v[None, :]
        v = tl.load(v_ptr + v_at, mask=(cols[:, None] < keys) & (in_v[None, :] < d_v), other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        allowed = cols[None, :] < keys
        if is_causal:
            allowed = allowed & (cols[None, :] <= rows[:, None])
        s = tl.where(allowed, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        p = tl.exp(s - m_new[:, None])
        factor = tl.exp(m - m_new)
        l = factor * l + tl.sum(p, axis=1)
        o = factor[:, None] * o + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    out = o / l[:, None]
    o_at = (head * queries + rows[:, None]) * d_v + in_v[None, :]
    tl.store(output_ptr + o_at, out.to(output_ptr.dtype.element_ty), mask=(rows[:, None] < queries) & (in_v[None, :] < d_v))


def triton_attention(q, k, v, is_causal=False):
    queries, d_k = q.shape[-2:]
    keys, d_v = v.shape[-2:]
    if k.shape[-1] != d_k:
        raise ValueError(f"queries are {d_k} wide, keys {k.shape[-1]}")
    if k.shape[-2] != keys:
        raise ValueError(f"{k.shape[-2]} keys, but {keys} values")
    q, k, v = q.contiguous(), k.contiguous(), v.contiguous()
    output = torch.empty((*q.shape[:-1], d_v), dtype=q.dtype, device=q.device)
    heads = math.prod(q.shape[:-2])
    BLOCK = 32
    triton_attention_kernel[(heads, triton.cdiv(queries, BLOCK))](
        q, k, v, output, queries, keys, d_k, d_v, 1 / math.sqrt(d_k), is_causal,
        BLOCK_Q=BLOCK, BLOCK_K=BLOCK,
        WIDTH_K=max(16, triton.next_power_of_2(d_k)), WIDTH_V=max(16, triton.next_power_of_2(d_v)),
    )
    return output
