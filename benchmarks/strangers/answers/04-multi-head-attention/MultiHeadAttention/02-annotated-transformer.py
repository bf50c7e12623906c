def attention(query, key, value, mask=None):
    "Compute 'Scaled Dot Product Attention'"
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    p_attn = scores.softmax(dim=-1)
    return torch.matmul(p_attn, value), p_attn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super(MultiHeadAttention, self).__init__()
        if num_heads <= 0 or d_model % num_heads:
            raise ValueError("d_model=%d, h=%d" % (d_model, num_heads))
        self.d_k = d_model // num_heads
        self.h = num_heads
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias))
        self.attn = None

    def forward(self, x, mask=None):
        nbatches = x.size(0)
        query, key, value = [
            lin(x).view(nbatches, -1, self.h, self.d_k).transpose(1, 2)
            for lin in (self.w_q, self.w_k, self.w_v)
        ]
        out, self.attn = attention(query, key, value, mask=mask)
        out = out.transpose(1, 2).contiguous().view(nbatches, -1, self.h * self.d_k)
        return self.w_o(out), self.attn
