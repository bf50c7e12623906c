def compare_attention(scores, tokens):
    scores = scores / math.sqrt(len(tokens))
    n = len(tokens)
    mask = torch.ones(n, n, device=scores.device).tril().bool()
    fig, (ax1, ax2) = plt.subplots(1, 2, figsize=(11, 5))
    plot_attention(scores.masked_fill(~mask, float("-inf")).softmax(-1), tokens, ax1)
    ax1.set_title("causal")
    plot_attention(scores.softmax(-1), tokens, ax2)
    ax2.set_title("bidirectional")
    return fig
