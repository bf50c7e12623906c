def fuse_qkv(w_q, w_k, w_v):
    # x @ W needs W as (in, out)
    return torch.cat([w_q.t(), w_k.t(), w_v.t()], dim=0)
