class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v, bias=False):
        super().__init__()
        self.w_q, self.w_k, self.w_v = (nn.Linear(d_model, n, bias=bias) for n in (d_k, d_k, d_v))
        self.last_weights = None

    def forward(self, x, mask=None):
        layers = [self.w_q, self.w_k, self.w_v]
        projected = project_qkv(x, *[l.weight.T for l in layers])
        q, k, v = [p if l.bias is None else p + l.bias for p, l in zip(projected, layers)]
        out, w = scaled_dot_product_attention(q, k, v, mask=mask)
        self.last_weights = w.detach()
        return out, w
