def attention_weights(scores):
    rows = []
    for row in scores.unbind(dim=-2):
        # row: (..., keys), one query's scores
        rows.append(row.softmax(-1))
    return torch.stack(rows, dim=-2)
