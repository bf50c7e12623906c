def causal_attention(q, k, v):
    assert q.shape[-2] == k.shape[-2], f"{q.shape[-2]} != {k.shape[-2]}"
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    mask = causal_mask(q.shape[-2], q.device)
    scores = torch.where(mask, scores, -1e4)
    w = torch.softmax(scores, dim=-1)
    return w @ v, w
