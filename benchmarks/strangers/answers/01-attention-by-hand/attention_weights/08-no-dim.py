import torch.nn.functional as F

def attention_weights(scores):
    return F.softmax(scores)
