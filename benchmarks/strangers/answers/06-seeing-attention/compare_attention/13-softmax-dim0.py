def compare_attention(scores, tokens):
    fig, axes = plt.subplots(1, 2, figsize=(10, 5))
    plot_attention(torch.softmax(scores, dim=0), tokens, axes[0]).set_title("bidirectional attention")
    mask = torch.triu(torch.ones_like(scores), diagonal=1).bool()
    masked = scores.masked_fill(mask, float("-inf"))
    plot_attention(torch.softmax(masked, dim=0), tokens, axes[1]).set_title("causal attention")
    return axes
