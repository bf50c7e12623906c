def compare_attention(scores, tokens):
    n = len(tokens)
    causal = torch.zeros_like(scores)
    for i in range(n):
        causal[i, : i + 1] = scores[i, : i + 1].softmax(dim=0)
    fig = plt.figure(figsize=(12, 5))
    ax1 = fig.add_subplot(121)
    ax2 = fig.add_subplot(122)
    plot_attention(scores.softmax(dim=1), tokens, ax=ax1)
    plot_attention(causal, tokens, ax=ax2)
    ax1.set_title("Bidirectional attention (BERT)")
    ax2.set_title("Causal attention (GPT)")
    fig.tight_layout()
    return fig
