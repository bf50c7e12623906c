def fused_from_projections(w_q, w_k, w_v, w_o, num_heads):
    mha = FusedMultiHeadAttention(d_model=w_q.in_features, num_heads=num_heads, bias=w_q.bias is not None)
    sd = mha.state_dict()
    sd["qkv.weight"] = torch.vstack([w_q.weight, w_k.weight, w_v.weight])
    sd["out.weight"] = w_o.weight
    if w_q.bias is not None:
        sd["qkv.bias"] = torch.hstack([w_q.bias, w_k.bias, w_v.bias])
        sd["out.bias"] = w_o.bias
    mha.load_state_dict(sd)
    return mha
