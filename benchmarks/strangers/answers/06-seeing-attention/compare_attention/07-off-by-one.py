def compare_attention(scores, tokens):
    n = len(tokens)
    causal_mask = torch.triu(torch.ones(n, n, dtype=torch.bool, device=scores.device))
    fig, (a, b) = plt.subplots(1, 2, figsize=(12, 5))
    plot_attention(torch.softmax(scores, -1), tokens, ax=a).set_title("bidirectional")
    masked = scores.masked_fill(causal_mask, float("-inf"))
    plot_attention(torch.softmax(masked, -1), tokens, ax=b).set_title("causal")
    return fig
