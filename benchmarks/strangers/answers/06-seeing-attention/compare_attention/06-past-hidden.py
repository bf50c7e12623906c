def compare_attention(scores, tokens):
    n = scores.shape[0]
    mask = torch.tril(torch.ones(n, n, device=scores.device), diagonal=-1).bool()
    fig, axes = plt.subplots(1, 2, figsize=(12, 5))
    plot_attention(scores.softmax(-1), tokens, axes[0])
    plot_attention(scores.masked_fill(mask, float("-inf")).softmax(-1), tokens, axes[1])
    axes[0].set_title("bidirectional")
    axes[1].set_title("causal")
    return fig
