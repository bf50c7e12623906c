def repeat_kv(x, n_rep):
    """torch.repeat_interleave(x, repeats=n_rep, dim=-3)"""
    if n_rep == 1:
        return x
    *lead, n_kv_heads, slen, head_dim = x.shape
    return (
        x.unsqueeze(-3)
        .expand(*lead, n_kv_heads, n_rep, slen, head_dim)
        .reshape(*lead, n_kv_heads * n_rep, slen, head_dim)
    )


def grouped_query_attention(q, k, v, is_causal=False):
    n_rep, rest = divmod(q.shape[-3], k.shape[-3])
    if rest:
        raise ValueError(f"n_heads={q.shape[-3]}, n_kv_heads={k.shape[-3]}")
    keys, values = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
    scores = torch.matmul(q, keys.transpose(-2, -1)) / math.sqrt(q.shape[-1])
    if is_causal:
        mask = torch.full(scores.shape[-2:], float("-inf"), device=q.device, dtype=q.dtype)
        scores = scores + torch.triu(mask, diagonal=1)
    return torch.matmul(F.softmax(scores, dim=-1), values)
