def split_heads(x, num_heads):
    b, s, d = x.shape
    if num_heads < 1 or d % num_heads != 0:
        raise ValueError("d_model must be a multiple of num_heads")
    return x.reshape(b, s, -1, num_heads).transpose(1, 2)
