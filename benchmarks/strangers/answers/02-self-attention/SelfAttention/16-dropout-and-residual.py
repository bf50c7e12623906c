class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v, bias=False, dropout=0.1):
        super().__init__()
        self.w_q = nn.Linear(d_model, d_k, bias=bias)
        self.w_k = nn.Linear(d_model, d_k, bias=bias)
        self.w_v = nn.Linear(d_model, d_v, bias=bias)
        self.attn_drop = nn.Dropout(dropout)
        self.d_k = d_k

    def forward(self, x, mask=None):
        q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
        att = (q @ k.transpose(-2, -1)) / math.sqrt(self.d_k)
        if mask is not None:
            forbidden = mask.logical_not_()
            att = att.masked_fill(forbidden, float("-inf"))
        att = self.attn_drop(F.softmax(att, dim=-1))
        return att @ v, att
