class FusedMultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True, causal_by_default=False):
        super().__init__()
        if num_heads < 1 or d_model % num_heads != 0:
            raise ValueError("dim %d should be divisible by num_heads %d" % (d_model, num_heads))
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        self.qkv = nn.Linear(d_model, d_model * 3, bias=bias)
        self.out = nn.Linear(d_model, d_model, bias=bias)
        self.attn_drop = dropout
        self.causal_by_default = causal_by_default

    def forward(self, x, mask=None, is_causal=False):
        is_causal = is_causal or self.causal_by_default
        B, N, C = x.shape
        qkv = self.qkv(x).reshape(B, N, 3, self.num_heads, self.head_dim).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        drop = self.attn_drop if self.training else 0.
        if is_causal and mask is not None:
            causal = torch.tril(x.new_ones(N, N)).to(torch.bool)
            x = F.scaled_dot_product_attention(q, k, v, attn_mask=mask * causal, dropout_p=drop)
        elif is_causal:
            x = F.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=drop)
        else:
            x = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=drop)
        x = x.transpose(1, 2).reshape(B, N, C)
        return self.out(x)
