def split_heads(x, num_heads):
    batch, seq, _ = x.shape
    x = x.reshape(batch, seq, num_heads, -1)
    return torch.swapaxes(x, 1, 2)
