def compare_attention(scores, tokens):
    figure = plt.figure(figsize=(10, 4.5), layout="constrained")
    left, right = figure.subfigures(1, 2)
    plot_attention(torch.exp(scores - scores.logsumexp(-1, keepdim=True)), tokens, left.subplots()).set_title("bidirectional")
    here = torch.arange(len(tokens), device=scores.device)
    hidden = scores.masked_fill(here > here[:, None], -torch.inf)
    plot_attention(torch.exp(hidden - hidden.logsumexp(-1, keepdim=True)), tokens, right.subplots()).set_title("causal")
    return figure
