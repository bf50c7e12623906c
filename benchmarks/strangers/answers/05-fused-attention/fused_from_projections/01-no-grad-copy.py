def fused_from_projections(w_q, w_k, w_v, w_o, num_heads):
    d_model = w_q.in_features
    has_bias = w_q.bias is not None
    module = FusedMultiHeadAttention(d_model, num_heads, bias=has_bias)
    module = module.to(device=w_q.weight.device, dtype=w_q.weight.dtype)
    with torch.no_grad():
        module.qkv.weight.copy_(fuse_qkv(w_q.weight, w_k.weight, w_v.weight))
        module.out.weight.copy_(w_o.weight)
        if has_bias:
            module.qkv.bias.copy_(torch.cat([w_q.bias, w_k.bias, w_v.bias]))
            module.out.bias.copy_(w_o.bias)
    return module
