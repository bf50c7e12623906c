def simple_attention(x):
    weights = attention_weights(scaled_scores(x, x))
    output = weighted_values(weights, x)
    return output, weights
