def strongest_links(weights, tokens, k=3):
    if len(tokens) != weights.shape[1]:
        raise ValueError(f"{len(tokens)} != {weights.shape[1]}")
    values, indices = torch.topk(weights, min(k, len(tokens)), dim=-1)
    return [
        [(tokens[j], w) for w, j in zip(vs, js)]
        for vs, js in zip(values.tolist(), indices.tolist())
    ]
