def compare_attention(scores, tokens):
    e = torch.exp(scores.float())
    left = e / e.sum(dim=1, keepdim=True)
    e = torch.tril(e)
    right = e / e.sum(dim=1, keepdim=True)
    fig, ax = plt.subplots(1, 2, figsize=(10, 4))
    plot_attention(left, tokens, ax[0]).set_title("bidirectional")
    plot_attention(right, tokens, ax[1]).set_title("causal")
    return fig
