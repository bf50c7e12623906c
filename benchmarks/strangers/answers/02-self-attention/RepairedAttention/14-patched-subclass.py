class BrokenAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v, bias=False):
        super().__init__()
        self.w_q = nn.Linear(d_model, d_k, bias)
        self.w_k = nn.Linear(d_model, d_k, bias)
        self.w_v = nn.Linear(d_model, d_v, bias)


class RepairedAttention(BrokenAttention):
    def forward(self, x, mask=None):
        root = self.w_k.out_features ** 0.5
        scores = self.w_q(x).matmul(self.w_k(x).transpose(-2, -1)) / root
        scores = scores if mask is None else torch.where(mask, scores, -math.inf)
        weights = scores.softmax(-1)
        return weights.matmul(self.w_v(x)), weights
