def plot_attention(weights, tokens, ax=None):
    rows, columns = weights.shape
    if len(tokens) != rows or len(tokens) != columns:
        raise ValueError(f"{len(tokens)} tokens do not fit {rows} rows and {columns} columns")
    if ax is None:
        _, ax = plt.subplots()
    image = ax.imshow(weights.detach().cpu().float().numpy(), cmap="cividis", vmin=0, vmax=1)
    ax.set_xticks(range(columns), tokens, rotation=90)
    ax.set_yticks(range(rows), tokens)
    ax.set_xlabel("key")
    ax.set_ylabel("query")
    ax.figure.colorbar(image, ax=ax, label="weight")
    return ax
