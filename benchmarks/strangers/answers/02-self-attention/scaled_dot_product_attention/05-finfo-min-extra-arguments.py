def scaled_dot_product_attention(q, k, v, mask=None, dropout=0.0, training=False):
    scores = torch.matmul(q, k.swapaxes(-1, -2)) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), torch.finfo(scores.dtype).min)
    weights = nn.functional.softmax(scores, dim=-1)
    weights = nn.functional.dropout(weights, p=dropout, training=training)
    return weights @ v, weights
