def fuse_qkv(
    w_q: Float[Tensor, "d_model d_model"],
    w_k: Float[Tensor, "d_model d_model"],
    w_v: Float[Tensor, "d_model d_model"],
) -> Float[Tensor, "3*d_model d_model"]:
    d_model = w_q.shape[0]
    stacked = torch.stack([w_q, w_k, w_v])
    return stacked.reshape(3 * d_model, d_model)
