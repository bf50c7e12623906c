def merge_heads(x):
    texts = []
    for text in x:               # (heads, seq, d_head)
        texts.append(torch.hstack(list(text)))   # (seq, heads*d_head)
    return torch.stack(texts)
