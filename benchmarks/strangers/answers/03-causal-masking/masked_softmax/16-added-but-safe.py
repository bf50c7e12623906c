def masked_softmax(scores, mask):
    some = mask.any(dim=-1, keepdim=True)
    biased = scores + additive_mask(mask, scores.dtype)
    safe = torch.where(some, biased, torch.zeros_like(biased))
    return torch.softmax(safe, dim=-1) * some
