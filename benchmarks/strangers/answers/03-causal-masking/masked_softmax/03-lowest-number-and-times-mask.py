def masked_softmax(
    scores: Float[Tensor, "... queries keys"], mask: Bool[Tensor, "..."]
) -> Float[Tensor, "... queries keys"]:
    lowest = torch.finfo(scores.dtype).min
    weights = torch.softmax(scores.masked_fill(~mask, lowest), dim=-1)
    return weights * mask
