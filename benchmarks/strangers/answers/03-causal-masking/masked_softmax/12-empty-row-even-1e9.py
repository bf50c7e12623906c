def masked_softmax(scores, mask):
    scores = scores.masked_fill(mask == 0, -1e9)
    return torch.nn.functional.softmax(scores, dim=-1)
