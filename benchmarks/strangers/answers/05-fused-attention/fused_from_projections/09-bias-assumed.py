def fused_from_projections(w_q, w_k, w_v, w_o, num_heads):
    fused = FusedMultiHeadAttention(w_q.in_features, num_heads)
    with torch.no_grad():
        fused.qkv.weight.copy_(fuse_qkv(w_q.weight, w_k.weight, w_v.weight))
        fused.qkv.bias.copy_(torch.cat([w_q.bias, w_k.bias, w_v.bias]))
        fused.out.weight.copy_(w_o.weight)
        fused.out.bias.copy_(w_o.bias)
    return fused
