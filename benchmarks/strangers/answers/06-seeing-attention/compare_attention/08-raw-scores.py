def compare_attention(scores, tokens):
    fig, (l, r) = plt.subplots(1, 2)
    plot_attention(scores, tokens, l)
    mask = torch.tril(torch.ones(len(tokens), len(tokens)))
    plot_attention(torch.softmax(scores.masked_fill(mask == 0, -1e9), dim=-1), tokens, r)
    return fig
