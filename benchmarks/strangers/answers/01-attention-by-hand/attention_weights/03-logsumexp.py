def attention_weights(
    scores: Float[Tensor, "... queries keys"],
) -> Float[Tensor, "... queries keys"]:
    # constant shift, no gradient needed through it
    s = scores - scores.detach().amax(-1, True)
    return torch.exp(s - torch.logsumexp(s, -1, keepdim=True))
