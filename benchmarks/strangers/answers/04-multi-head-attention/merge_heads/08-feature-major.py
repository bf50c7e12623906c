def merge_heads(x):
    b, h, s, c = x.shape
    return x.permute(0, 2, 3, 1).reshape(b, s, h * c)
