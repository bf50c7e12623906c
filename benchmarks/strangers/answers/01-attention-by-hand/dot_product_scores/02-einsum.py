def dot_product_scores(
    q: Float[Tensor, "... queries d_k"], k: Float[Tensor, "... keys d_k"]
) -> Float[Tensor, "... queries keys"]:
    return torch.einsum("...qd,...kd->...qk", q, k)
