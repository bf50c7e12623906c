class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if num_heads < 1 or d_model % num_heads != 0:
            raise ValueError(f"num_heads={num_heads} does not divide d_model={d_model}")
        self.nh = num_heads
        self.w_q, self.w_k = nn.Linear(d_model, d_model, bias), nn.Linear(d_model, d_model, bias)
        self.w_v, self.w_o = nn.Linear(d_model, d_model, bias), nn.Linear(d_model, d_model, bias)

    def forward(self, x, mask=None):
        q, k, v = (split_heads(w(x), self.nh) for w in (self.w_q, self.w_k, self.w_v))
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        if mask is not None:
            att = att.masked_fill(mask, float("-inf"))
        att = att.softmax(dim=-1)
        y = merge_heads(att @ v)
        return self.w_o(y), att
