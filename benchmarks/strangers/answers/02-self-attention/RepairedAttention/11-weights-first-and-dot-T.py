class RepairedAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v, bias=False):
        super().__init__()
        self.w_q = nn.Linear(d_model, d_k)
        self.w_k = nn.Linear(d_model, d_k)
        self.w_v = nn.Linear(d_model, d_v)
        self.scale = math.sqrt(d_k)

    def forward(self, x, mask=None):
        q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
        scores = q @ k.T / self.scale
        if mask is not None:
            scores = torch.where(mask, scores, -math.inf)
        weights = torch.softmax(scores, dim=-1)
        return weights, weights @ v
