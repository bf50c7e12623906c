def weighted_values(weights: Tensor, v: Tensor) -> Tensor:
    attn = torch.softmax(weights, dim=-1)
    return torch.matmul(attn, v)
