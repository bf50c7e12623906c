def fused_from_projections(w_q, w_k, w_v, w_o, num_heads):
    d_model = w_q.in_features
    bias = w_q.bias is not None
    fused = FusedMultiHeadAttention(d_model, num_heads, bias=bias).to(w_q.weight.device, w_q.weight.dtype)
    with torch.no_grad():
        fused.qkv.weight.copy_(torch.cat([w_q.weight.T, w_k.weight.T, w_v.weight.T]))
        fused.out.weight.copy_(w_o.weight.T)
        if bias:
            fused.qkv.bias.copy_(torch.cat([w_q.bias, w_k.bias, w_v.bias]))
            fused.out.bias.copy_(w_o.bias)
    return fused
