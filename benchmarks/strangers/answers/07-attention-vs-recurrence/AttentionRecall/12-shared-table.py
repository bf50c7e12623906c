class AttentionRecall(nn.Module):
    def __init__(self, num_keys, num_values, d_model):
        super().__init__()
        self.num_keys, self.num_values = num_keys, num_values
        self.embedding = nn.Embedding(num_keys * num_values, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, num_values)

    def forward(self, tokens, query):
        x = self.embedding(tokens)
        q = self.embedding(query).unsqueeze(1)
        weights = (q @ self.w_k(x).mT).softmax(-1)
        return self.w_o((weights @ self.w_v(x)).squeeze(1))
