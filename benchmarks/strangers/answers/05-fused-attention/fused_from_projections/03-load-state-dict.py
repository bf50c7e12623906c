def fused_from_projections(w_q, w_k, w_v, w_o, num_heads):
    three = (w_q, w_k, w_v)
    state = {"qkv.weight": torch.cat([l.weight for l in three], 0), "out.weight": w_o.weight}
    if w_q.bias is not None:
        state["qkv.bias"] = torch.cat([l.bias for l in three], 0)
        state["out.bias"] = w_o.bias
    fused = FusedMultiHeadAttention(w_q.weight.shape[1], num_heads, bias="qkv.bias" in state)
    fused.to(w_q.weight)  # dtype and device
    fused.load_state_dict(state)
    return fused
