def classify_pattern(weights):
    rows = weights.tolist()
    n = len(rows)
    entropy = diagonal = biggest = near = 0.0
    for i, row in enumerate(rows):
        entropy -= sum(w * math.log(w) for w in row if w > 0)
        diagonal += row[i]
        biggest += max(row)
        near += sum(row[max(0, i - 1) : i + 2])
    if entropy / n >= 0.95 * math.log(n):
        return "uniform"
    elif diagonal / n >= 0.8:
        return "diagonal"
    elif biggest / n >= 0.7:
        return "focused"
    elif near / n >= 0.8:
        return "local"
    else:
        return "mixed"
