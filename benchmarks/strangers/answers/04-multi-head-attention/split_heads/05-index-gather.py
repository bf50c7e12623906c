def split_heads(x, num_heads):
    """Give every head its own slice of each token's features."""
    d_model = x.size(2)
    if num_heads not in range(1, d_model + 1) or d_model % num_heads != 0:
        raise ValueError(f"d_model ({d_model}) is not a multiple of num_heads ({num_heads})")
    features = torch.arange(d_model, device=x.device).reshape(num_heads, -1)
    # x[:, :, features] -> (batch, seq, heads, d_head)
    return x[:, :, features].permute(0, 2, 1, 3)
