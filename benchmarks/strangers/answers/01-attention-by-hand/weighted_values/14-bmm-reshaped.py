def weighted_values(weights, v):
    lead = weights.shape[:-2]
    nq, nk = weights.shape[-2:]
    dv = v.shape[-1]
    out = torch.bmm(weights.reshape(-1, nq, nk), v.reshape(-1, nk, dv))
    return out.reshape(lead + (nq, dv))
