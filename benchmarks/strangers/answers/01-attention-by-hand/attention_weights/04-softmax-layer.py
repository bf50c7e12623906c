from torch import nn

softmax_over_keys = nn.Softmax(dim=-1)

def attention_weights(scores):
    """Keras: tf.keras.layers.Softmax()(scores)"""
    weights = softmax_over_keys(scores)
    return weights
