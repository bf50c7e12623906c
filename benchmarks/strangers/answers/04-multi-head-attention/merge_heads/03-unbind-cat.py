def merge_heads(x: Tensor) -> Tensor:
    return torch.cat(x.unbind(1), -1)
