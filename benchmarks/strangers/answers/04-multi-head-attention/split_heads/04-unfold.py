def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"{num_heads} heads do not fit into {d_model} features")
    d_head = d_model // num_heads
    blocks = x.unfold(-1, d_head, d_head)  # (batch, seq, heads, d_head)
    return blocks.movedim(2, 1)
