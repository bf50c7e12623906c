import copy

def fused_from_projections(w_q, w_k, w_v, w_o, num_heads):
    d = w_q.out_features
    fused = FusedMultiHeadAttention(d, num_heads, 0.0, w_q.bias is not None).to(w_q.weight.device, w_q.weight.dtype)
    fused.out = copy.deepcopy(w_o)
    for i, lin in enumerate((w_q, w_k, w_v)):
        fused.qkv.weight.data[i * d : (i + 1) * d] = lin.weight.data
        if lin.bias is not None:
            fused.qkv.bias.data[i * d : (i + 1) * d] = lin.bias.data
    return fused
