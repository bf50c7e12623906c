def fused_from_projections(w_q, w_k, w_v, w_o, num_heads):
    m = FusedMultiHeadAttention(w_o.out_features, num_heads, bias=w_o.bias is not None)
    m.qkv.weight = nn.Parameter(torch.cat([w_q.weight, w_k.weight, w_v.weight]).detach())
    m.out.weight = nn.Parameter(w_o.weight.detach().clone())
    if w_o.bias is not None:
        m.qkv.bias = nn.Parameter(torch.cat([w_q.bias, w_k.bias, w_v.bias]).detach())
        m.out.bias = nn.Parameter(w_o.bias.detach().clone())
    return m
