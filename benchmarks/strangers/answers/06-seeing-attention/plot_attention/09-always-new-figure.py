def plot_attention(weights, tokens, ax=None):
    fig, ax = plt.subplots(figsize=(6, 5))
    cax = ax.matshow(weights.detach().cpu().float().numpy(), cmap="bone")
    fig.colorbar(cax)
    ax.set_xticks(range(len(tokens)))
    ax.set_yticks(range(len(tokens)))
    ax.set_xticklabels(tokens, rotation=90)
    ax.set_yticklabels(tokens)
    ax.set_xlabel("Keys")
    ax.set_ylabel("Queries")
    return ax
