def fused_from_projections(w_q, w_k, w_v, w_o, num_heads):
    fused = FusedMultiHeadAttention(w_q.in_features, num_heads, bias=w_q.bias is not None)
    fused.to(w_q.weight.device, w_q.weight.dtype)
    with torch.no_grad():
        fused.qkv.weight.copy_(torch.cat([w_q.weight, w_k.weight, w_v.weight]))
        if w_q.bias is not None:
            fused.qkv.bias.copy_(torch.cat([w_q.bias, w_k.bias, w_v.bias]))
    fused.out = w_o
    return fused
