def attention_weights(scores):
    return torch.sigmoid(scores)
