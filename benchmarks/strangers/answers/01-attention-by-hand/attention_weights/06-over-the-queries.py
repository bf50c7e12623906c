def attention_weights(scores: Tensor) -> Tensor:
    return scores.softmax(dim=-2)
