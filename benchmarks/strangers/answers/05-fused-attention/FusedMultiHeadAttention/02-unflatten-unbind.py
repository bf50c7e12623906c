class FusedMultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError(f"{num_heads} heads, {d_model} features")
        self.num_heads, self.p = num_heads, dropout
        self.qkv = nn.Linear(d_model, 3 * d_model, bias)
        self.out = nn.Linear(d_model, d_model, bias)

    def forward(self, x, mask=None, is_causal=False):
        q, k, v = self.qkv(x).unflatten(-1, (3, self.num_heads, -1)).permute(2, 0, 3, 1, 4).unbind(0)
        if mask is not None:
            if is_causal:
                place = torch.arange(x.shape[1], device=x.device)
                mask = torch.logical_and(mask, place[:, None] >= place[None, :])
            found = F.scaled_dot_product_attention(q, k, v, mask, self.p * self.training)
        else:
            found = F.scaled_dot_product_attention(q, k, v, None, self.p * self.training, is_causal)
        return self.out(found.transpose(1, 2).flatten(2))
