class FusedMultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__()
        if num_heads < 1 or d_model % num_heads != 0:
            raise ValueError(f"{d_model} features cannot be shared by {num_heads} heads")
        self.num_heads = num_heads
        self.dropout = dropout
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=bias)
        self.out = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None, is_causal=False):
        b, s, d = x.shape
        if mask is not None and mask.all():
            mask = None  # nothing is masked
        parts = []
        for i in range(3):
            w = self.qkv.weight[i * d : (i + 1) * d]
            bias = None if self.qkv.bias is None else self.qkv.bias[i * d : (i + 1) * d]
            parts.append(F.linear(x, w, bias).view(b, s, self.num_heads, -1).transpose(1, 2))
        q, k, v = parts
        if mask is not None and is_causal:
            mask = mask & torch.ones(s, s, dtype=torch.bool, device=x.device).tril()
            is_causal = False
        y = F.scaled_dot_product_attention(q, k, v, mask, self.dropout if self.training else 0.0, is_causal)
        return self.out(y.transpose(1, 2).reshape(b, s, d))
