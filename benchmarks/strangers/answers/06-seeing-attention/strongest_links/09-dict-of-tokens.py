def strongest_links(weights, tokens, k=3):
    result = []
    for row in weights:
        d = dict(zip(tokens, row.tolist()))
        best = sorted(d.items(), key=lambda item: item[1], reverse=True)
        result.append(best[:k])
    return result
