def fused_from_projections(w_q, w_k, w_v, w_o, num_heads):
    bias = w_q.bias is not None
    fused = FusedMultiHeadAttention(w_q.in_features, num_heads, bias=bias)
    fused.qkv.weight.data = torch.cat([w_q.weight.data, w_k.weight.data, w_v.weight.data])
    fused.out.weight.data = w_o.weight.data
    if bias:
        fused.qkv.bias.data = torch.cat([w_k.bias.data, w_q.bias.data, w_v.bias.data])
        fused.out.bias.data = w_o.bias.data
    return fused
