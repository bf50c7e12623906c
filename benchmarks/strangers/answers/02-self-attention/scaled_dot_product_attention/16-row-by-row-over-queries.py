def scaled_dot_product_attention(q, k, v, mask=None):
    n_q, n_k = q.shape[-2], k.shape[-2]
    if mask is not None:
        mask = mask.expand(*q.shape[:-1], n_k)
    outs, ws = [], []
    for i in range(n_q):
        s = (k @ q[..., i, :, None]).squeeze(-1) / math.sqrt(q.shape[-1])
        if mask is not None:
            s = s.masked_fill(~mask[..., i, :], -math.inf)
        w = F.softmax(s, dim=-1)
        ws.append(w)
        outs.append((w[..., None] * v).sum(-2))
    return torch.stack(outs, -2), torch.stack(ws, -2)
