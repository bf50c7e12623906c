def fused_from_projections(w_q, w_k, w_v, w_o, num_heads):
    bias = w_q.bias is not None
    fused = FusedMultiHeadAttention(w_q.in_features, num_heads, bias=bias)
    del fused.qkv.weight
    fused.qkv.weight = torch.cat([w_q.weight, w_k.weight, w_v.weight])
    if bias:
        del fused.qkv.bias
        fused.qkv.bias = torch.cat([w_q.bias, w_k.bias, w_v.bias])
    fused.out.load_state_dict(w_o.state_dict())
    return fused
