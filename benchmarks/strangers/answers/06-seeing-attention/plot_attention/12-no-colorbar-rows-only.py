def plot_attention(weights, tokens, ax=None):
    if len(tokens) != weights.shape[0]:
        raise ValueError(f"wrong number of tokens: {len(tokens)}")
    if ax is None:
        _, ax = plt.subplots()
    ax.imshow(weights.detach().float().cpu().numpy(), vmin=0, vmax=1)
    ax.set_xticks(range(len(tokens)), tokens, rotation=45)
    ax.set_yticks(range(len(tokens)), tokens)
    ax.set_xlabel("key token")
    ax.set_ylabel("query token")
    return ax
