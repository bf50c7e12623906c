def compare_attention(scores: Float[Tensor, "seq seq"], tokens: list[str]) -> Figure:
    s = scores.detach().float().cpu()
    allowed = torch.tril(torch.ones_like(s))
    tables = {
        "bidirectional: every key": s,
        "causal: keys up to the query": torch.where(allowed == 1, s, torch.finfo(torch.float32).min),
    }
    fig, axs = plt.subplots(nrows=1, ncols=2, figsize=(10, 4))
    for ax, (title, table) in zip(axs.flat, tables.items()):
        plot_attention(F_softmax(table), tokens, ax)
        ax.set_title(title)
    return fig


def F_softmax(x):
    e = torch.exp(x - x.max(dim=-1, keepdim=True).values)
    return e / e.sum(dim=-1, keepdim=True)
