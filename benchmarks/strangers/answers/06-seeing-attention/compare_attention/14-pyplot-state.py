def compare_attention(scores, tokens):
    rows = []
    for i, row in enumerate(scores):
        seen = torch.softmax(row[: i + 1], dim=0)
        rows.append(torch.nn.functional.pad(seen, (0, len(row) - i - 1)))
    causal = torch.stack(rows)
    figure = plt.figure(figsize=(12, 5))
    for number, (title, table) in enumerate([("bidirectional", torch.softmax(scores, 1)), ("causal", causal)], 1):
        plt.subplot(1, 2, number)
        plot_attention(table, tokens, plt.gca())
        plt.title(title + " attention")
    plt.tight_layout()
    return figure
