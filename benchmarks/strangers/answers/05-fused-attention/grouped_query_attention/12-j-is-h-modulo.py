def grouped_query_attention(q, k, v, is_causal=False):
    H, KH = q.shape[-3], k.shape[-3]
    if H % KH != 0:
        raise ValueError(f"H={H}, KH={KH}")
    out = torch.zeros(*q.shape[:-1], v.shape[-1])
    for h in range(H):
        j = h % KH
        out[..., h, :, :] = F.scaled_dot_product_attention(q[..., h, :, :], k[..., j, :, :], v[..., j, :, :], is_causal=is_causal)
    return out
