"""Right answers to fuse_qkv and fused_from_projections."""

from functools import partial

from autograder.bank import Variant

fusing = partial(Variant, "fuse_qkv")
carrying = partial(Variant, "fused_from_projections")

VARIANTS = (
    fusing(
        "stack, then flatten",
        """
        def fuse_qkv(w_q, w_k, w_v):
            return torch.stack([w_q, w_k, w_v]).flatten(0, 1)
        """,
    ),
    fusing(
        "vstack",
        """
        def fuse_qkv(w_q, w_k, w_v):
            return torch.vstack((w_q, w_k, w_v))
        """,
    ),
    fusing(
        "side by side, turned",
        """
        def fuse_qkv(w_q, w_k, w_v):
            return torch.cat([w.transpose(0, 1) for w in (w_q, w_k, w_v)], dim=1).transpose(0, 1)
        """,
    ),
    fusing(
        "filled part by part",
        """
        def fuse_qkv(w_q, w_k, w_v):
            n = len(w_q)
            fused = w_q.new_empty(3 * n, n)
            for i, w in enumerate((w_q, w_k, w_v)):
                fused[i * n:(i + 1) * n] = w
            return fused
        """,
    ),
    carrying(
        "data replaced",
        """
        def fused_from_projections(w_q, w_k, w_v, w_o, num_heads):
            bias = w_q.bias is not None
            fused = FusedMultiHeadAttention(w_q.weight.shape[1], num_heads, bias=bias)
            fused.qkv.weight.data = fuse_qkv(w_q.weight, w_k.weight, w_v.weight).data
            fused.out.weight.data = w_o.weight.data.clone()
            if bias:
                fused.qkv.bias.data = torch.cat([w_q.bias, w_k.bias, w_v.bias]).data
                fused.out.bias.data = w_o.bias.data.clone()
            return fused
        """,
    ),
    carrying(
        "a state dict",
        """
        def fused_from_projections(w_q, w_k, w_v, w_o, num_heads):
            parts = ["weight"] if w_q.bias is None else ["weight", "bias"]
            state = {}
            for part in parts:
                state["qkv." + part] = torch.cat([getattr(w, part) for w in (w_q, w_k, w_v)])
                state["out." + part] = getattr(w_o, part)
            fused = FusedMultiHeadAttention(w_o.out_features, num_heads, bias="bias" in parts)
            fused.to(device=w_q.weight.device, dtype=w_q.weight.dtype)
            fused.load_state_dict(state)
            return fused
        """,
    ),
    carrying(
        "new parameters",
        """
        def fused_from_projections(w_q, w_k, w_v, w_o, num_heads):
            d = w_q.in_features
            fused = FusedMultiHeadAttention(d, num_heads, bias=w_q.bias is not None)
            three = [w_q.weight, w_k.weight, w_v.weight]
            fused.qkv.weight = nn.Parameter(torch.cat(three, dim=0).detach())
            fused.out.weight = nn.Parameter(w_o.weight.detach().clone())
            if w_q.bias is not None:
                fused.qkv.bias = nn.Parameter(torch.cat([w_q.bias, w_k.bias, w_v.bias]).detach())
                fused.out.bias = nn.Parameter(w_o.bias.detach().clone())
            return fused
        """,
    ),
    carrying(
        "assigned",
        """
        def fused_from_projections(w_q, w_k, w_v, w_o, num_heads):
            fused = FusedMultiHeadAttention(len(w_o.weight), num_heads, bias=w_o.bias is not None)
            own = {"qkv.weight": fuse_qkv(w_q.weight, w_k.weight, w_v.weight)}
            own["out.weight"] = w_o.weight.clone()
            if w_o.bias is not None:
                own["qkv.bias"] = torch.cat([layer.bias for layer in (w_q, w_k, w_v)])
                own["out.bias"] = w_o.bias.clone()
            own = {name: nn.Parameter(tensor.detach()) for name, tensor in own.items()}
            fused.load_state_dict(own, assign=True)
            return fused
        """,
    ),
    carrying(
        "slice by slice, and a deep copy",
        """
        import copy

        @torch.no_grad()
        def fused_from_projections(w_q, w_k, w_v, w_o, num_heads):
            d, has_bias = w_o.weight.size(0), w_o.bias is not None
            module = FusedMultiHeadAttention(d, num_heads, 0.0, has_bias)
            module = module.to(dtype=w_o.weight.dtype, device=w_o.weight.device)
            for i, layer in enumerate([w_q, w_k, w_v]):
                module.qkv.weight[i * d:(i + 1) * d] = layer.weight
                if has_bias:
                    module.qkv.bias[i * d:(i + 1) * d] = layer.bias
            module.out = copy.deepcopy(w_o)
            return module
        """,
    ),
)
