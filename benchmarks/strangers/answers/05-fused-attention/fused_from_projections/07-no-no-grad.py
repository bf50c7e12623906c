def fused_from_projections(w_q, w_k, w_v, w_o, num_heads):
    has_bias = w_q.bias is not None
    fused = FusedMultiHeadAttention(w_q.in_features, num_heads, bias=has_bias)
    fused.qkv.weight.copy_(fuse_qkv(w_q.weight, w_k.weight, w_v.weight))
    fused.out.weight.copy_(w_o.weight)
    if has_bias:
        fused.qkv.bias.copy_(torch.cat([w_q.bias, w_k.bias, w_v.bias]))
        fused.out.bias.copy_(w_o.bias)
    return fused
