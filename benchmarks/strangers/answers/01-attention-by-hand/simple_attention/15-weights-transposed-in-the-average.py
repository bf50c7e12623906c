def simple_attention(x):
    weights = attention_weights(dot_product_scores(x, x))
    output = torch.einsum("...ij,...id->...jd", weights, x)
    return output, weights
