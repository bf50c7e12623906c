def plot_attention(weights, tokens, ax=None):
    n = len(tokens)
    if tuple(weights.shape) != (n, n):
        raise ValueError(f"there are {n} tokens, but the weights are {tuple(weights.shape)}")
    if ax is None:
        fig = plt.figure(figsize=(5, 4))
        ax = fig.add_subplot(1, 1, 1)
    grid = weights.to("cpu", torch.float32).detach().numpy()
    mesh = ax.pcolormesh(grid, cmap="viridis", vmin=0.0, vmax=1.0, edgecolors="w", linewidth=0.5)
    ax.invert_yaxis()
    ax.set_aspect("equal")
    ax.set_xticks(np.arange(n) + 0.5)
    ax.set_xticklabels(tokens, rotation=45, ha="right")
    ax.set_yticks(np.arange(n) + 0.5)
    ax.set_yticklabels(tokens)
    ax.set(xlabel="Keys", ylabel="Queries")
    plt.colorbar(mesh, ax=ax)
    return ax
