def compare_attention(scores, tokens):
    seq = scores.shape[-1]
    mask = torch.tril(torch.ones(seq, seq, device=scores.device, dtype=scores.dtype))
    fig, (top, bottom) = plt.subplots(2, 1, figsize=(5, 9))
    plot_attention(scores.softmax(-1), tokens, top)
    top.set_title("bidirectional")
    plot_attention((scores * mask).softmax(-1), tokens, bottom)
    bottom.set_title("causal")
    return fig
