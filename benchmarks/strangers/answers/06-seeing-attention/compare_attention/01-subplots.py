def compare_attention(scores, tokens):
    seq = scores.shape[-1]
    both = torch.softmax(scores, dim=-1)
    future = torch.ones(seq, seq, dtype=torch.bool, device=scores.device).triu(1)
    causal = torch.softmax(scores.masked_fill(future, float("-inf")), dim=-1)
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    plot_attention(both, tokens, left).set_title("bidirectional")
    plot_attention(causal, tokens, right).set_title("causal")
    return figure
