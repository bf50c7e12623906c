def masked_softmax(scores, mask):
    e = torch.exp(scores) * mask
    return e / e.sum(dim=-1, keepdim=True).clamp(min=1e-8)
