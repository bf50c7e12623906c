def plot_attention(weights, tokens, ax=None):
    if weights.shape[0] != len(tokens) or weights.shape[1] != len(tokens):
        raise ValueError(f"{len(tokens)} tokens but weights of shape {tuple(weights.shape)}")
    if ax is None:
        _, ax = plt.subplots()
    im = ax.imshow(weights.cpu().numpy(), vmin=0, vmax=1, cmap="Greens")
    ax.set_xticks(range(len(tokens)), tokens)
    ax.set_yticks(range(len(tokens)), tokens)
    ax.set_xlabel("key")
    ax.set_ylabel("query")
    ax.figure.colorbar(im, ax=ax)
    plt.show()
