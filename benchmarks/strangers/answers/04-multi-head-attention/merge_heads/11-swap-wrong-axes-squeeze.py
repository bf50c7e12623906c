def merge_heads(x):
    b, h, s, c = x.size()
    x = x.transpose(2, 3).contiguous()
    return x.view(b, s, h * c).squeeze()
