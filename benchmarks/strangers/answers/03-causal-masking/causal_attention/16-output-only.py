def causal_attention(q, k, v):
    if q.shape[-2] != k.shape[-2]:
        raise ValueError("queries and keys differ in number")
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
