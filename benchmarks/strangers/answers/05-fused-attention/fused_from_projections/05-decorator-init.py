@torch.no_grad()
def fused_from_projections(w_q: nn.Linear, w_k: nn.Linear, w_v: nn.Linear, w_o: nn.Linear, num_heads: int):
    bias = w_q.bias is not None
    with torch.device(w_q.weight.device):
        fused = FusedMultiHeadAttention(w_q.in_features, num_heads, bias=bias)
    fused = fused.type(w_q.weight.dtype)

    def stack(name):
        return torch.cat([getattr(layer, name) for layer in (w_q, w_k, w_v)])

    for name in ["weight"] + (["bias"] if bias else []):
        getattr(fused.qkv, name).copy_(stack(name))
        getattr(fused.out, name).copy_(getattr(w_o, name))
    return fused
