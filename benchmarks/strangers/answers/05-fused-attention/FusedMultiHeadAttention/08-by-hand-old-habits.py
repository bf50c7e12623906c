class FusedMultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__()
        assert num_heads > 0 and d_model % num_heads == 0
        self.num_heads = num_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=bias)
        self.out = nn.Linear(d_model, d_model, bias=bias)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None, is_causal=False):
        B, T, C = x.size()
        q, k, v = self.qkv(x).split(C, dim=2)
        q, k, v = [t.view(B, T, self.num_heads, C // self.num_heads).transpose(1, 2) for t in (q, k, v)]
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        if is_causal:
            tril = torch.tril(torch.ones(T, T, device=x.device))
            att = att.masked_fill(tril == 0, -1e9)
        if mask is not None:
            att = att.masked_fill(mask == 0, -1e9)
        att = self.drop(F.softmax(att, dim=-1))
        y = att @ v
        return self.out(y.transpose(1, 2).contiguous().view(B, T, C))
