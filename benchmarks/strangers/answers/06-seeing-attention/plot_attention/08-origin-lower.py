def plot_attention(weights, tokens, ax=None):
    if len(tokens) != len(weights) or len(tokens) != weights.shape[1]:
        raise ValueError(f"{len(tokens)} tokens / {weights.shape[0]} rows, {weights.shape[1]} columns")
    if ax is None:
        fig, ax = plt.subplots()
    heat = ax.pcolor(weights.numpy(), vmin=0, vmax=1)
    ax.set_xticks(np.arange(len(tokens)), tokens)
    ax.set_yticks(np.arange(len(tokens)), tokens)
    ax.set_xlabel("key")
    ax.set_ylabel("query")
    plt.colorbar(heat, ax=ax)
    return ax
