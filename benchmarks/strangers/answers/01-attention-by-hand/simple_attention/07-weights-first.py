def simple_attention(x: Tensor) -> tuple[Tensor, Tensor]:
    weights = torch.softmax(x @ x.mT, dim=-1)
    return weights, weights @ x
