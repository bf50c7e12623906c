def merge_heads(x):
    batch, num_heads, seq, d_head = x.shape
    out = x.new_zeros(batch, seq, num_heads * d_head)
    for b in range(batch):
        for h in range(num_heads):
            start = h * d_head
            for s in range(seq):
                out[b, s, start : start + d_head] = x[b, h, s]
    return out
