def grouped_query_attention(q, k, v, is_causal=False):
    heads = q.shape[-3]
    key_heads = k.shape[-3]
    if heads % key_heads != 0:
        raise ValueError("number of heads (" + str(heads) + ") / key heads (" + str(key_heads) + ")")
    g = heads // key_heads
    outputs = []
    for h in range(heads):
        j = h // g
        q_h = q[..., h, :, :]
        k_j = k[..., j, :, :]
        v_j = v[..., j, :, :]
        outputs.append(F.scaled_dot_product_attention(q_h, k_j, v_j, is_causal=is_causal))
    return torch.stack(outputs, dim=-3)
