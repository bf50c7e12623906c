def simple_attention(x):
    return weighted_values(attention_weights(dot_product_scores(x, x)), x)
