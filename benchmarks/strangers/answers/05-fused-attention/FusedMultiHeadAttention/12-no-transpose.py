class FusedMultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__()
        if num_heads < 1 or d_model % num_heads != 0:
            raise ValueError(f"d_model={d_model}, num_heads={num_heads}")
        self.num_heads = num_heads
        self.dropout = nn.Dropout(dropout)
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=bias)
        self.out = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None, is_causal=False):
        b, s, d = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.reshape(b, self.num_heads, s, -1)
        k = k.reshape(b, self.num_heads, s, -1)
        v = v.reshape(b, self.num_heads, s, -1)
        if mask is not None and is_causal:
            mask = mask & torch.ones(s, s, dtype=torch.bool, device=x.device).tril()
            is_causal = False
        p = self.dropout.p if self.training else 0.0
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=p, is_causal=is_causal)
        y = y.reshape(b, s, d)
        return self.dropout(self.out(y))
