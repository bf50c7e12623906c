def scaled_scores(
    q: Float[Tensor, "... queries d_k"], k: Float[Tensor, "... keys d_k"]
) -> Float[Tensor, "... queries keys"]:
    scale = q.size(-1) ** -0.5
    return (q * scale) @ k.transpose(-1, -2)
