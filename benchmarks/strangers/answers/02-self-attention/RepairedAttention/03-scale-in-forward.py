class RepairedAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v, bias=False):
        super().__init__()
        self.w_q = nn.Linear(d_model, d_k, bias)
        self.w_k = nn.Linear(d_model, d_k, bias)
        self.w_v = nn.Linear(d_model, d_v, bias)
        self.scale = d_k ** -0.5
        self.softmax = nn.Softmax(dim=-1)

    def forward(self, x, mask=None):
        q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
        scores = self.scale * (q @ k.mT)
        if mask is not None:
            scores = scores.masked_fill(mask.logical_not(), -math.inf)
        weights = self.softmax(scores)
        output = weights @ v
        return output, weights
