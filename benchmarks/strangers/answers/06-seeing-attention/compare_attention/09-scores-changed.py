def compare_attention(scores, tokens):
    n = scores.size(0)
    fig, axs = plt.subplots(1, 2, figsize=(9, 4))
    plot_attention(torch.softmax(scores, dim=-1), tokens, axs[0])
    idx = torch.triu_indices(n, n, offset=1)
    scores[idx[0], idx[1]] = float("-inf")
    plot_attention(torch.softmax(scores, dim=-1), tokens, axs[1])
    axs[1].set_title("causal")
    return fig
