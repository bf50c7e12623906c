class FusedMultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__()
        if num_heads <= 0:
            raise ValueError(f"num_heads must be positive, got {num_heads} for d_model {d_model}")
        d_head, rest = divmod(d_model, num_heads)
        if rest != 0:
            raise ValueError(f"d_model {d_model} is not a multiple of num_heads {num_heads}")
        self.num_heads = num_heads
        self.d_head = d_head
        self.qkv = nn.Linear(d_model, d_model * 3, bias=bias)
        self.out = nn.Linear(d_model, d_model, bias=bias)
        self.attn_dropout = nn.Dropout(dropout)

    def _heads(self, t):
        return t.reshape(t.shape[0], t.shape[1], self.num_heads, self.d_head).transpose(1, 2)

    def forward(self, x, mask=None, is_causal=False):
        q, k, v = (self._heads(t) for t in self.qkv(x).chunk(3, dim=-1))
        p = self.attn_dropout.p if self.training else 0.0
        if mask is None:
            y = F.scaled_dot_product_attention(q, k, v, dropout_p=p, is_causal=is_causal)
        else:
            seq = x.size(1)
            bias = torch.zeros(mask.shape, dtype=q.dtype, device=x.device)
            bias = bias.masked_fill(mask.logical_not(), float("-inf"))
            if is_causal:
                future = torch.ones(seq, seq, device=x.device, dtype=torch.bool).triu(1)
                bias = bias.masked_fill(future, float("-inf"))
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=bias, dropout_p=p)
        y = y.permute(0, 2, 1, 3).reshape(x.shape)
        return self.out(y)
