def masked_softmax(scores, mask):
    m = scores.max(dim=-1, keepdim=True).values
    e = torch.exp(scores - m) * mask
    total = e.sum(dim=-1, keepdim=True)
    return torch.where(total > 0, e / total.masked_fill(total == 0, 1.0), 0.0)
