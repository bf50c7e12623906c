def scaled_scores(q: Tensor, k: Tensor) -> Tensor:
    dk = k.size(-2)
    return (q @ k.mT) / dk**0.5
