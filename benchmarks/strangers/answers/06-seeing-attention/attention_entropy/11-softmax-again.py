def attention_entropy(weights):
    p = torch.softmax(weights, dim=-1)
    log_p = torch.log_softmax(weights, dim=-1)
    return -(p * log_p).sum(dim=1)
