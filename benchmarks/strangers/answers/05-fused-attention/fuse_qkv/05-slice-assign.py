def fuse_qkv(w_q, w_k, w_v):
    d, e = w_q.size()
    fused = w_q.new_empty(3 * d, e)
    for i, w in enumerate([w_q, w_k, w_v]):
        fused[i * d : (i + 1) * d, :] = w
    return fused
