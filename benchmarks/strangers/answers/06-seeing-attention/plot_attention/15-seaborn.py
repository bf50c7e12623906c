def plot_attention(weights, tokens, ax=None):
    import seaborn as sns

    if len(tokens) != weights.shape[0] or len(tokens) != weights.shape[1]:
        raise ValueError("tokens and weights do not match")
    if ax is None:
        _, ax = plt.subplots(figsize=(8, 6))
    sns.heatmap(
        weights.detach().cpu().float().numpy(), vmin=0, vmax=1, cmap="viridis",
        xticklabels=tokens, yticklabels=tokens, square=True, ax=ax,
    )
    ax.set_xlabel("Key")
    ax.set_ylabel("Query")
    return ax
