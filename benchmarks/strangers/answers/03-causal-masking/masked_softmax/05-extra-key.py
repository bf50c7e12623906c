def masked_softmax(scores, mask):
    mask = torch.broadcast_to(mask, scores.shape)
    empty = mask.logical_not().all(-1, keepdim=True)
    s = torch.where(mask, scores, -math.inf)
    # one more column: 0 for rows without any key, -inf for the others
    sink = torch.where(empty, 0.0, -math.inf).to(scores.dtype)
    w = torch.softmax(torch.cat([s, sink], dim=-1), dim=-1)
    return w[..., :-1]
