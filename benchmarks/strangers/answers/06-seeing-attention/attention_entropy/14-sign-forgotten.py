def attention_entropy(weights):
    return (weights * (weights + 1e-9).log()).sum()
