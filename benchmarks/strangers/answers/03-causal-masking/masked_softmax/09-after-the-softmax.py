def masked_softmax(scores, mask):
    weights = torch.softmax(scores, dim=-1)
    return weights * mask
