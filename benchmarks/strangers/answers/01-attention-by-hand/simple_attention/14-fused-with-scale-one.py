def simple_attention(x):
    output = torch.nn.functional.scaled_dot_product_attention(x, x, x, scale=1.0)
    weights = (x @ x.transpose(-2, -1)).softmax(dim=-1)
    return output, weights
