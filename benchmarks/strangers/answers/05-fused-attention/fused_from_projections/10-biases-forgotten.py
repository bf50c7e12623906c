def fused_from_projections(w_q, w_k, w_v, w_o, num_heads):
    attn = FusedMultiHeadAttention(w_q.weight.shape[0], num_heads)
    attn.qkv.weight.data = torch.cat([w_q.weight.data, w_k.weight.data, w_v.weight.data], dim=0).float()
    attn.out.weight.data = w_o.weight.data.clone().float()
    return attn
