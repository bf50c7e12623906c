class _Checked(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if num_heads < 1:
            raise ValueError(f"num_heads={num_heads} is below 1 (d_model={d_model})")
        if d_model % num_heads:
            raise ValueError(f"{d_model} / {num_heads} is no whole number")
        self.num_heads = num_heads


class FusedMultiHeadAttention(_Checked):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__(d_model, num_heads)
        self.out = nn.Linear(d_model, d_model, bias=bias)
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=bias)
        self.dropout = dropout

    def forward(self, x, mask=None, is_causal=False):
        features = self.qkv(x).chunk(3 * self.num_heads, dim=-1)  # q of head 0, q of head 1, ...
        h = self.num_heads
        q = torch.stack(features[:h], dim=1)
        k = torch.stack(features[h : 2 * h], dim=1)
        v = torch.stack(features[2 * h :], dim=1)
        options = {}
        if self.training:
            options["dropout_p"] = self.dropout
        if mask is None:
            options["is_causal"] = is_causal
        elif is_causal:
            future = torch.ones((x.size(1), x.size(1)), device=x.device).triu(1).bool()
            options["attn_mask"] = mask.logical_and(future.logical_not())
        else:
            options["attn_mask"] = mask
        y = F.scaled_dot_product_attention(q, k, v, **options)
        return self.out(y.transpose(1, 2).flatten(-2))
