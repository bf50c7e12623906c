def project_qkv(
    x: Float[Tensor, "... seq d_model"],
    w_q: Float[Tensor, "d_model d_k"],
    w_k: Float[Tensor, "d_model d_k"],
    w_v: Float[Tensor, "d_model d_v"],
):
    # F.linear computes x W^T, so hand over W^T
    q, k, v = F.linear(x, w_q.T), F.linear(x, w_k.T), F.linear(x, w_v.T)
    return q, k, v
