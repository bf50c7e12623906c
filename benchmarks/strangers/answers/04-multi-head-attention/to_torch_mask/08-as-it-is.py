def to_torch_mask(mask):
    # attn_mask has to be a bool tensor, ours already is one
    return mask.to(torch.bool)
