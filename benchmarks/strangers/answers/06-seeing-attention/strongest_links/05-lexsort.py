def strongest_links(weights, tokens, k=3):
    n = weights.shape[1]
    if n != len(tokens):
        raise ValueError(f"weights have {n} keys, tokens has {len(tokens)} entries")
    w = weights.detach().to("cpu", torch.float64).numpy()
    out = []
    for row in w:
        order = np.lexsort((np.arange(n), -row))
        out.append([(tokens[j], float(row[j])) for j in order[:k]])
    return out
