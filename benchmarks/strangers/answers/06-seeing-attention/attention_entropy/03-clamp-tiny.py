def attention_entropy(weights):
    tiny = torch.finfo(weights.dtype).tiny
    return (weights * -weights.clamp(min=tiny).log()).sum(-1)
