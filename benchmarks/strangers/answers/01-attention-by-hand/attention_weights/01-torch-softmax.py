def attention_weights(scores):
    return torch.softmax(scores, dim=-1)
