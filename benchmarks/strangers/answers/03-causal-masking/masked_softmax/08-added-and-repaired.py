def masked_softmax(scores, mask):
    w = torch.softmax(scores + additive_mask(mask, scores.dtype), dim=-1)
    return torch.nan_to_num(w)
