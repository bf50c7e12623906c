class AttentionRecall(nn.Module):
    def __init__(self, num_keys, num_values, d_model):
        super().__init__()
        self.num_keys = num_keys
        self.num_values = num_values
        self.tokens = nn.Embedding(num_keys * num_values, d_model)
        self.queries = nn.Embedding(num_keys, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, num_values)

    def forward(self, tokens, query):
        e = self.tokens(tokens)
        q = self.queries(query)[:, None]
        w = F.softmax(q @ self.w_k(e).mT / math.sqrt(e.shape[-1]), dim=-1)
        return self.w_o((w @ self.w_v(e)).squeeze())
