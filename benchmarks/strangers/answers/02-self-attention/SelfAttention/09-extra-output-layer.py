class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v, bias=False):
        super().__init__()
        self.w_q = nn.Linear(d_model, d_k)
        self.w_k = nn.Linear(d_model, d_k)
        self.w_v = nn.Linear(d_model, d_v)
        self.w_o = nn.Linear(d_v, d_v)

    def forward(self, x, mask=None):
        out, w = scaled_dot_product_attention(self.w_q(x), self.w_k(x), self.w_v(x), mask)
        return self.w_o(out), w
