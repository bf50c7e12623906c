def plot_attention(weights, tokens, ax=None):
    n = len(tokens)
    if weights.shape[0] != n or weights.shape[1] != n:
        raise ValueError(f"expected {weights.shape[0]} x {weights.shape[1]} labels, got {n}")
    if ax is None:
        ax = plt.figure().add_subplot()
    im = ax.imshow(weights.detach().cpu().float().numpy(), cmap="viridis")
    plt.colorbar(im, ax=ax)
    ax.set_xticks(range(n))
    ax.set_yticks(range(n))
    ax.set_xticklabels(tokens)
    ax.set_yticklabels(tokens)
    ax.set_xlabel("Key")
    ax.set_ylabel("Query")
    return ax
