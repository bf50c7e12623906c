def attention_weights(scores):
    return scores.transpose(-1, -2).softmax(-2).transpose(-1, -2)
