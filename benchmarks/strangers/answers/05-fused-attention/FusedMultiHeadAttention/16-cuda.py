class FusedMultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__()
        if num_heads < 1 or d_model % num_heads != 0:
            raise ValueError(f"d_model={d_model} is not divisible")
        self.num_heads = num_heads
        self.dropout_p = dropout
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=bias)
        self.out = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None, is_causal=False):
        B, L, D = x.shape
        q, k, v = self.qkv(x).split(D, -1)
        q, k, v = (t.reshape(B, L, self.num_heads, -1).permute(0, 2, 1, 3) for t in (q, k, v))
        if mask is not None and is_causal:
            mask = mask & torch.ones(L, L, dtype=torch.bool).tril().cuda()
            is_causal = False
        p = self.dropout_p if self.training else 0.0
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=p, is_causal=is_causal)
        return self.out(y.permute(0, 2, 1, 3).reshape(B, L, D))
