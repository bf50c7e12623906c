def strongest_links(weights, tokens, k=3):
    if len(tokens) != weights.shape[1]:
        raise ValueError("the number of tokens must be the number of keys")
    w = weights.numpy()
    links = []
    for i in range(w.shape[0]):
        order = np.argsort(-w[i], kind="stable")
        links.append([(tokens[j], w[i, j]) for j in order[:k]])
    return links
