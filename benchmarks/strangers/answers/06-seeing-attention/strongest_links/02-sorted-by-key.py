def strongest_links(weights, tokens, k=3):
    if len(tokens) != weights.size(-1):
        raise ValueError("%d tokens but %d keys" % (len(tokens), weights.size(-1)))
    links = []
    for row in weights.tolist():
        pairs = list(zip(tokens, row))
        pairs.sort(key=lambda pair: pair[1], reverse=True)
        links.append(pairs[:k])
    return links
