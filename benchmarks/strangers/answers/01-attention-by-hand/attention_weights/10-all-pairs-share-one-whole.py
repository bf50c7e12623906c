def attention_weights(scores):
    flat = scores.view(-1)
    w = torch.softmax(flat, 0)
    return w.view(scores.shape)
