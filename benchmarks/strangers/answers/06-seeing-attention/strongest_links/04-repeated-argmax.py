def strongest_links(weights, tokens, k=3):
    if len(tokens) != weights.shape[-1]:
        raise ValueError(f"tokens: {len(tokens)}, keys: {weights.shape[-1]}")
    result = []
    for i in range(weights.shape[0]):
        left = [w.item() for w in weights[i]]
        this_query = []
        while len(this_query) < k and len(this_query) < len(tokens):
            biggest = max(left)
            j = left.index(biggest)  # index() gives the first one
            this_query.append((tokens[j], biggest))
            left[j] = -1.0
        result.append(this_query)
    return result
