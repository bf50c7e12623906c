def attention_weights(scores):
    # reuse softmax from above
    return torch.tensor(softmax(scores.detach().numpy(), axis=-1))
