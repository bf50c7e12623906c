def causal_attention(q, k, v):
    n, m = q.shape[-2], k.shape[-2]
    if n != m:
        raise ValueError(f"number of queries ({n}) and number of keys ({m}) differ")
    outputs, weights = [], []
    for t in range(n):
        q_t = q[..., t : t + 1, :]                      # one query
        past_k, past_v = k[..., : t + 1, :], v[..., : t + 1, :]
        w = torch.softmax(q_t @ past_k.mT / math.sqrt(q.shape[-1]), dim=-1)
        outputs.append(w @ past_v)
        weights.append(torch.nn.functional.pad(w, (0, n - t - 1)))
    return torch.cat(outputs, dim=-2), torch.cat(weights, dim=-2)
