def to_torch_mask(mask):
    n = mask.shape[-1]
    return torch.triu(torch.ones(n, n), diagonal=1).bool()
