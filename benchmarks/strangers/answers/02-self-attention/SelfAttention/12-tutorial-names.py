class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v, bias=False):
        super().__init__()
        self.query = nn.Linear(d_model, d_k, bias=bias)
        self.key = nn.Linear(d_model, d_k, bias=bias)
        self.value = nn.Linear(d_model, d_v, bias=bias)

    def forward(self, x, mask=None):
        q, k, v = self.query(x), self.key(x), self.value(x)
        return scaled_dot_product_attention(q, k, v, mask)
