def strongest_links(weights, tokens, k=3):
    if len(tokens) != weights.shape[1]:
        raise ValueError(f"expected {weights.shape[1]} tokens, got {len(tokens)}")
    w = weights.detach().cpu().float().numpy()
    order = np.argsort(w, axis=1, kind="stable")[:, ::-1][:, :k]
    return [[(tokens[j], float(w[i, j])) for j in order[i]] for i in range(len(w))]
