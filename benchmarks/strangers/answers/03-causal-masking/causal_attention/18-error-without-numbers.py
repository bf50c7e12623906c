def causal_attention(q, k, v):
    T = q.shape[-2]
    if k.shape[-2] != T:
        raise ValueError(f"k must have {T} rows, as q has")
    att = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
    att = att.masked_fill(~causal_mask(T, q.device), -torch.inf)
    att = att.softmax(dim=-1)
    return att @ v, att
