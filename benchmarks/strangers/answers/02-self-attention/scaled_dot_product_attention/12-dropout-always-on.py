def scaled_dot_product_attention(q, k, v, mask=None, p_drop=0.1):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores[~mask] = float('-inf')
    weights = F.dropout(F.softmax(scores, dim=-1), p=p_drop)
    return weights @ v, weights
