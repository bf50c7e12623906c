def strongest_links(weights, tokens, k=3):
    if len(tokens) != weights.shape[1]:
        raise ValueError(f"{len(tokens)} tokens, {weights.shape[1]} keys")
    links = []
    for j in range(weights.shape[1]):
        column = weights[:, j].tolist()
        order = sorted(range(len(column)), key=lambda i: -column[i])
        links.append([(tokens[i], column[i]) for i in order[:k]])
    return links
