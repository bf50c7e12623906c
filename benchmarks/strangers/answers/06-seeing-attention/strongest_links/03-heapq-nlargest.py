import heapq

def strongest_links(weights: Float[Tensor, "queries keys"], tokens: list[str], k: int = 3):
    queries, keys = weights.shape
    if keys != len(tokens):
        raise ValueError(f"{keys} keys need as many tokens, not {len(tokens)}")
    table = weights.detach().cpu().double().tolist()
    best = lambda row: heapq.nlargest(k, range(keys), key=row.__getitem__)
    return [[(tokens[j], row[j]) for j in best(row)] for row in table]
