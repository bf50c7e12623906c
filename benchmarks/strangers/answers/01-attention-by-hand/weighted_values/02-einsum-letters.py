def weighted_values(
    weights: Float[Tensor, "... queries keys"], v: Float[Tensor, "... keys d_v"]
) -> Float[Tensor, "... queries d_v"]:
    """Σ_j w_ij v_j"""
    return torch.einsum("...ij,...jd->...id", weights, v)
