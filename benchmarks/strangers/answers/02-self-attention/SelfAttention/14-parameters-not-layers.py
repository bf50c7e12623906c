class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v, bias=False):
        super().__init__()
        self.w_q = nn.Parameter(torch.randn(d_model, d_k))
        self.w_k = nn.Parameter(torch.randn(d_model, d_k))
        self.w_v = nn.Parameter(torch.randn(d_model, d_v))

    def forward(self, x, mask=None):
        q, k, v = project_qkv(x, self.w_q, self.w_k, self.w_v)
        return scaled_dot_product_attention(q, k, v, mask)
