def causal_attention(q, k, v, scale=None):
    nq, nk = q.shape[-2], k.shape[-2]
    if not nq == nk:
        raise ValueError("got {} queries and {} keys, these must be equally many".format(nq, nk))
    with torch.device(q.device):
        mask = causal_mask_for_cache(nq, nk)
    if scale is None:
        scale = 1 / math.sqrt(q.shape[-1])
    scores = (q[..., :, None, :] * k[..., None, :, :]).sum(-1) * scale
    w = torch.softmax(scores.masked_fill(mask.logical_not(), float("-inf")), -1)
    return (w[..., None] * v[..., None, :, :]).sum(-2), w
