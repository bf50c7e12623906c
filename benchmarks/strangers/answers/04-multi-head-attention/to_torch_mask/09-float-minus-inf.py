def to_torch_mask(mask):
    out = torch.zeros(mask.shape, device=mask.device)
    out = out.masked_fill(mask == 0, float("-inf"))
    return out
