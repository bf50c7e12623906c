def compare_attention(scores, tokens):
    s = np.array(scores.tolist())

    def softmax(a):
        a = a - a.max(axis=1, keepdims=True)
        e = np.exp(a)
        return torch.tensor(e / e.sum(axis=1, keepdims=True))

    n = len(s)
    hidden = np.where(np.tri(n, dtype=bool), s, -np.inf)
    fig, axs = plt.subplot_mosaic([["both", "past"]], figsize=(11, 5), layout="constrained")
    plot_attention(softmax(s), tokens, axs["both"])
    plot_attention(softmax(hidden), tokens, axs["past"])
    axs["both"].set_title("BIDIRECTIONAL: " + " ".join(tokens))
    axs["past"].set_title("CAUSAL: " + " ".join(tokens))
    return fig
