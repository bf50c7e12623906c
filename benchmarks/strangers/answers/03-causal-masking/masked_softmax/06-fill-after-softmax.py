def masked_softmax(scores, mask):
    forbidden = mask.logical_not()
    attn = scores.masked_fill(forbidden, float('-inf'))
    attn = torch.softmax(attn, dim=-1)
    return attn.masked_fill(forbidden, 0.0)
