def plot_attention(weights, tokens, ax=None, show_numbers=True):
    """Heatmap with the numbers written into the cells."""
    data = np.array(weights.tolist(), dtype=float)
    if data.shape[0] != len(tokens) or data.shape[1] != len(tokens):
        raise ValueError("got %d tokens for a table of %d by %d" % (len(tokens), *data.shape))
    if ax is None:
        fig, ax = plt.subplots(1, 1, figsize=(6, 6))
    else:
        fig = ax.get_figure()
    im = ax.matshow(data, cmap="Blues")
    im.set_clim(0.0, 1.0)
    fig.colorbar(im, ax=ax, fraction=0.046, pad=0.04)
    ax.xaxis.set_ticks(list(range(len(tokens))))
    ax.yaxis.set_ticks(list(range(len(tokens))))
    ax.set_xticklabels(tokens, rotation=60)
    ax.set_yticklabels(tokens)
    ax.set_xlabel("attended to (key)")
    ax.set_ylabel("attending (query)")
    if show_numbers:
        for (i, j), w in np.ndenumerate(data):
            ax.text(j, i, f"{w:.2f}", ha="center", va="center", color="white" if w > 0.5 else "black", fontsize=7)
    return ax
