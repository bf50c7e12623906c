def plot_attention(weights, tokens, ax=None):
    if weights.shape != (len(tokens), len(tokens)):
        raise ValueError(f"{len(tokens)} tokens, weights {tuple(weights.shape)}")
    if ax is None:
        fig, ax = plt.subplots()
    im = ax.imshow(weights.detach().cpu().float().numpy().T, vmin=0, vmax=1)
    ax.set_xticks(range(len(tokens)), labels=tokens)
    ax.set_yticks(range(len(tokens)), labels=tokens)
    ax.set_xlabel("key")
    ax.set_ylabel("query")
    ax.figure.colorbar(im, ax=ax)
    return ax
