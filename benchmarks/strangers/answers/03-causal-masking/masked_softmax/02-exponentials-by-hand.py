def masked_softmax(scores, mask):
    s = torch.where(mask, scores, -torch.inf)
    top = s.detach().amax(dim=-1, keepdim=True)
    top = torch.where(top == -torch.inf, torch.zeros_like(top), top)
    e = torch.exp(s - top)
    total = e.sum(dim=-1, keepdim=True)
    return e / torch.where(total == 0, torch.ones_like(total), total)
