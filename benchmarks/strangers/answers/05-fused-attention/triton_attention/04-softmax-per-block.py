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
    o = tl.zeros((BLOCK_Q, WIDTH_V), tl.float32)
    for start in range(0, keys, BLOCK_K):
        cols = start + tl.arange(0, BLOCK_K)
        k = tl.load(k_ptr + (head * keys + cols[:, None]) * d_k + in_k[None, :],
                    mask=(cols[:, None] < keys) & (in_k[None, :] < d_k), other=0.0)
        v = tl.load(v_ptr + (head * keys + cols[:, None]) * d_v + in_v[None, :],
                    mask=(cols[:, None] < keys) & (in_v[None, :] < d_v), other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        s = tl.where(cols[None, :] < keys, s, -1e9)
        if is_causal:
            s = tl.where(cols[None, :] <= rows[:, None], s, -1e9)
        p = tl.exp(s - tl.max(s, axis=1)[:, None])
        p = p / tl.sum(p, axis=1)[:, None]
        o += tl.dot(p.to(v.dtype), v, input_precision="ieee")
    tl.store(output_ptr + (head * queries + rows[:, None]) * d_v + in_v[None, :], o,
             mask=(rows[:, None] < queries) & (in_v[None, :] < d_v))


def triton_attention(q, k, v, is_causal=False):
    out = torch.empty(q.shape[:-1] + v.shape[-1:], dtype=q.dtype, device=q.device)
    heads = q[..., 0, 0].numel()
    BQ = BK = 16
    triton_attention_kernel[(heads, triton.cdiv(q.shape[-2], BQ))](
        q, k, v, out, q.shape[-2], k.shape[-2], q.shape[-1], v.shape[-1], 1 / math.sqrt(q.shape[-1]),
        is_causal, BQ, BK, max(16, triton.next_power_of_2(q.shape[-1])), max(16, triton.next_power_of_2(v.shape[-1])))
    return out
