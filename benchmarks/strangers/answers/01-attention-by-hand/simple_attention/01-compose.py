def simple_attention(x):
    scores = dot_product_scores(x, x)
    weights = attention_weights(scores)
    return weighted_values(weights, x), weights
