def attention_weights(scores):
    num_keys = scores.shape[-1]
    rows = scores.reshape(-1, num_keys)
    return torch.softmax(rows, dim=1).reshape(scores.shape)
