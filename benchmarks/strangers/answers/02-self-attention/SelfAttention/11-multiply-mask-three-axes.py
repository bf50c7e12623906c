class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v, bias=False):
        super().__init__()
        self.dk = d_k
        self.w_q = nn.Linear(d_model, d_k, bias=False)
        self.w_k = nn.Linear(d_model, d_k, bias=False)
        self.w_v = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x, mask=None):
        q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
        scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(self.dk)
        if mask is not None:
            scores = scores * mask
        weights = F.softmax(scores, dim=2)
        return torch.bmm(weights, v), weights
