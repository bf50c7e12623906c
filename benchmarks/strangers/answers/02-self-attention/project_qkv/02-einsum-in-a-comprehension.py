def project_qkv(x, w_q, w_k, w_v):
    return tuple(torch.einsum("...m,mk->...k", x, w) for w in (w_q, w_k, w_v))
