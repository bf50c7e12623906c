def attention_entropy(weights: Float[Tensor, "... queries keys"]) -> Float[Tensor, "... queries"]:
    is_zero = (weights == 0).to(weights.dtype)
    log_w = torch.log(weights + is_zero)  # ln 1 = 0 where the weight is 0
    information = -log_w
    return torch.sum(weights * information, axis=-1)
