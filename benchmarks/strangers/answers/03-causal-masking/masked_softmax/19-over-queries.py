def masked_softmax(scores, mask):
    scores = scores + (1.0 - mask.float()) * -1e9
    return torch.softmax(scores, dim=-2)
