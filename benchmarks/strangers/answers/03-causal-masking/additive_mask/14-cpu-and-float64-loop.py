def additive_mask(mask, dtype):
    rows = []
    for row in mask.tolist():
        rows.append([0.0 if allowed else float("-inf") for allowed in row])
    return torch.tensor(rows, dtype=dtype)
