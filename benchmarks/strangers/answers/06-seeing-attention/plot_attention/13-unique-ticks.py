def plot_attention(weights, tokens, ax=None):
    if weights.shape != (len(tokens), len(tokens)):
        raise ValueError(f"{len(tokens)} tokens for weights of {weights.shape[0]} x {weights.shape[1]}")
    if ax is None:
        _, ax = plt.subplots()
    place = {token: i for i, token in enumerate(tokens)}
    ax.imshow(weights.detach().cpu().float().numpy(), vmin=0, vmax=1)
    ax.set_xticks(list(place.values()), list(place.keys()), rotation=90)
    ax.set_yticks(list(place.values()), list(place.keys()))
    ax.set_xlabel("key")
    ax.set_ylabel("query")
    return ax
