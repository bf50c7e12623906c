def strongest_links(weights, tokens, k=3):
    if len(tokens) != weights.shape[1]:
        raise ValueError(f"{len(tokens)} tokens vs {weights.shape[1]} keys")
    out = []
    for row in weights:
        pairs = sorted(zip(row, tokens), reverse=True)
        out.append([(t, w) for w, t in pairs[:k]])
    return out
