def compare_attention(scores, tokens):
    weights = torch.softmax(scores, dim=-1)
    fig, (ax1, ax2) = plt.subplots(1, 2, figsize=(10, 4))
    plot_attention(weights, tokens, ax1)
    ax1.set_title("bidirectional")
    plot_attention(torch.tril(weights), tokens, ax2)
    ax2.set_title("causal")
    return fig
