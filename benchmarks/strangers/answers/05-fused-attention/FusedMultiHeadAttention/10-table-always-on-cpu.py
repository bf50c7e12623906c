class FusedMultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__()
        if num_heads < 1 or d_model % num_heads != 0:
            raise ValueError(f"d_model = {d_model}, num_heads = {num_heads}")
        self.num_heads = num_heads
        self.dropout = dropout
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=bias)
        self.out = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None, is_causal=False):
        b, s, d = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.view(b, s, self.num_heads, -1).transpose(1, 2)
        k = k.view(b, s, self.num_heads, -1).transpose(1, 2)
        v = v.view(b, s, self.num_heads, -1).transpose(1, 2)
        allowed = torch.ones(s, s).bool()
        if is_causal:
            allowed = allowed.tril()
        if mask is not None:
            allowed = allowed & mask
        p = self.dropout if self.training else 0.0
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed, dropout_p=p)
        return self.out(y.transpose(1, 2).reshape(b, s, d))
