def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"d_model={d_model} not divisible by num_heads={num_heads}")
    return x.reshape(batch, num_heads, seq, d_model // num_heads)
