def split_heads(x, num_heads):
    nbatches = x.size(0)
    d_model = x.size(-1)
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"d_model={d_model} must be divisible by num_heads={num_heads}")
    d_k = d_model // num_heads
    return x.view(nbatches, -1, num_heads, d_k).transpose(1, 2)
