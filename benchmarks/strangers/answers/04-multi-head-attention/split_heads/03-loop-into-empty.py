def split_heads(x, num_heads):
    B, S, D = x.shape
    if num_heads <= 0:
        raise ValueError("num_heads has to be positive, got %d (d_model is %d)" % (num_heads, D))
    if D % num_heads > 0:
        raise ValueError("%d does not go into %d" % (num_heads, D))
    dh = D // num_heads
    result = x.new_empty((B, num_heads, S, dh))
    for h in range(num_heads):
        for s in range(S):
            result[:, h, s, :] = x[:, s, h * dh : (h + 1) * dh]
    return result
