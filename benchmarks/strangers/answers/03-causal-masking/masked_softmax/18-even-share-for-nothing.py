def masked_softmax(scores, mask):
    fill = torch.finfo(scores.dtype).min
    return torch.where(mask, scores, fill).softmax(dim=-1)
