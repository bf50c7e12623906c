def strongest_links(weights, tokens, k=3):
    top = weights.topk(k)
    return [[(w.item(), tokens[j]) for w, j in zip(vals, idx)] for vals, idx in zip(top.values, top.indices)]
