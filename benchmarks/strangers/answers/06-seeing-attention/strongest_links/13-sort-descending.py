def strongest_links(weights, tokens, k=3):
    if weights.shape[-1] != len(tokens):
        raise ValueError(f"got {len(tokens)} tokens for {weights.shape[-1]} keys")
    values, places = weights.sort(dim=-1, descending=True)
    return [
        [(tokens[places[i, n]], values[i, n].item()) for n in range(min(k, len(tokens)))]
        for i in range(len(weights))
    ]
