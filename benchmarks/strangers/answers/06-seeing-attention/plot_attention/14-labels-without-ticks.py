def plot_attention(weights, tokens, ax=None):
    if weights.shape[0] != len(tokens) or weights.shape[1] != len(tokens):
        raise ValueError(f"{weights.shape} vs {len(tokens)}")
    if ax is None:
        fig, ax = plt.subplots()
    im = ax.imshow(weights.detach().cpu().float().numpy(), vmin=0, vmax=1)
    ax.set_xticklabels([""] + list(tokens), rotation=90)
    ax.set_yticklabels([""] + list(tokens))
    ax.set_xlabel("keys")
    ax.set_ylabel("queries")
    ax.figure.colorbar(im, ax=ax)
    return ax
