class RepairedAttention(nn.Module):
    def __init__(self, d_model: int, d_k: int, d_v: int, bias: bool = False) -> None:
        super().__init__()
        self.w_q = nn.Linear(d_model, d_k, bias)
        self.w_k = nn.Linear(d_model, d_k, bias)
        self.w_v = nn.Linear(d_model, d_v, bias)
        self.scale = math.sqrt(d_k)

    def forward(self, x, mask=None):
        q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
        scores = q @ k.mT / self.scale
        if mask is not None:
            scores = torch.where(mask, scores, -math.inf)
        weights = torch.softmax(scores, dim=-2)
        return weights @ v, weights
