def masked_softmax(scores, mask):
    filled = torch.where(mask, scores, torch.full_like(scores, float("-inf")))
    return torch.nan_to_num(filled.softmax(-1), nan=0.0)
