class RepairedAttention(nn.Module):
    def __init__(self, d_model: int, d_k: int, d_v: int, bias: bool = False) -> None:
        super().__init__()
        self.w_q = nn.Linear(d_model, d_k, bias)
        self.w_k = nn.Linear(d_model, d_k, bias)
        self.w_v = nn.Linear(d_model, d_v, bias)

    def forward(self, x, mask=None):
        output, weights = scaled_dot_product_attention(
            q=self.w_q(x), k=self.w_k(x), v=self.w_v(x), mask=mask
        )
        assert output.shape[:-1] == x.shape[:-1]
        return output, weights
