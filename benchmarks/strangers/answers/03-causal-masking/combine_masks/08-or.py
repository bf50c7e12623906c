def combine_masks(causal: Tensor, padding: Tensor) -> Tensor:
    return causal[None, None] | padding[:, None, None]
