def strongest_links(weights, tokens, k=3):
    if len(tokens) != weights.shape[1]:
        raise ValueError(f"{len(tokens)} tokens for {weights.shape[1]} keys")
    order = torch.argsort(weights, dim=-1, descending=True, stable=True)[:, :k]
    return [[(tokens[j], weights[i, j].item()) for j in row] for i, row in enumerate(order.tolist())]
