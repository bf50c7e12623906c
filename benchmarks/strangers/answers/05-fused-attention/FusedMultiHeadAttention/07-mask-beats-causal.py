class FusedMultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__()
        if num_heads < 1 or d_model % num_heads != 0:
            raise ValueError(f"d_model {d_model} and num_heads {num_heads} do not fit together")
        self.num_heads = num_heads
        self.dropout = dropout
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=bias)
        self.out = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None, is_causal=False):
        b, s, d = x.shape
        q, k, v = [t.view(b, s, self.num_heads, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1)]
        # torch refuses both together
        y = F.scaled_dot_product_attention(
            q, k, v,
            attn_mask=mask,
            dropout_p=self.dropout if self.training else 0.0,
            is_causal=is_causal and mask is None,
        )
        return self.out(y.transpose(1, 2).contiguous().view(b, s, d))
