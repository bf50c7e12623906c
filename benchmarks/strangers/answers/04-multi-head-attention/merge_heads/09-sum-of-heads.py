def merge_heads(x):
    # combine the heads
    return x.mean(dim=1)
