class AttentionRecall(nn.Module):
    def __init__(self, num_keys, num_values, d_model):
        super().__init__()
        self.num_keys = num_keys
        self.num_values = num_values
        self.d_model = d_model
        self.E = nn.Parameter(torch.randn(num_keys * num_values, d_model))
        self.Q = nn.Parameter(torch.randn(num_keys, d_model))
        self.Wk = nn.Parameter(torch.randn(d_model, d_model) / math.sqrt(d_model))
        self.Wv = nn.Parameter(torch.randn(d_model, d_model) / math.sqrt(d_model))
        self.out = nn.Linear(d_model, num_values)

    def forward(self, tokens, query):
        x = F.one_hot(tokens, self.num_keys * self.num_values).to(self.E.dtype) @ self.E
        q = F.one_hot(query, self.num_keys).to(self.Q.dtype) @ self.Q
        k = x @ self.Wk
        v = x @ self.Wv
        scores = torch.bmm(k, q.unsqueeze(2)) / self.d_model ** 0.5  # (batch, pairs, 1)
        weights = F.softmax(scores, dim=1)
        return self.out((weights * v).sum(dim=1))
