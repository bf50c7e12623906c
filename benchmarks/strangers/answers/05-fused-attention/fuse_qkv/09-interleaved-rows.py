def fuse_qkv(w_q, w_k, w_v):
    rows = []
    for i in range(len(w_q)):
        rows += [w_q[i], w_k[i], w_v[i]]
    return torch.stack(rows)
