def grouped_query_attention(q, k, v, is_causal=False):
    if q.shape[-3] % k.shape[-3] != 0:
        raise ValueError(f"{q.shape[-3]} vs {k.shape[-3]}")
    n_rep = q.shape[-3] // k.shape[-3]
    k = torch.repeat_interleave(k, n_rep, dim=-3)
    v = torch.repeat_interleave(v, n_rep, dim=-3)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.softmax(dim=-1) @ v
