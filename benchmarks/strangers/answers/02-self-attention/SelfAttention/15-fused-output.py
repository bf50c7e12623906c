from typing import Optional

class SelfAttention(nn.Module):
    def __init__(self, d_model: int, d_k: int, d_v: int, bias: bool = False):
        super().__init__()
        self.w_q = nn.Linear(d_model, d_k, bias)
        self.w_k = nn.Linear(d_model, d_k, bias)
        self.w_v = nn.Linear(d_model, d_v, bias)

    def forward(self, x: Tensor, mask: Optional[Tensor] = None):
        q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        w = q @ k.mT / math.sqrt(q.size(-1))
        if mask is not None:
            w = w.masked_fill(~mask, float("-inf"))
        return out, F.softmax(w, -1)
