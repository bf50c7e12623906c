class AttentionRecall(nn.Module):
    def __init__(self, num_keys, num_values, d_model):
        super().__init__()
        self.num_keys, self.num_values = num_keys, num_values
        self.token_embedding = nn.Embedding(num_keys * num_values, d_model)
        self.query_embedding = nn.Embedding(num_keys, d_model)
        self.key = nn.Linear(d_model, d_model)
        self.value = nn.Linear(d_model, d_model)
        self.output = nn.Linear(d_model, num_values)

    def forward(self, tokens, query):
        x = self.token_embedding(tokens)
        q = self.query_embedding(query)
        scores = (q[:, None] * self.key(x)).sum(-1) / math.sqrt(q.shape[-1])
        weights = torch.softmax(scores, dim=0)
        return self.output((weights[..., None] * self.value(x)).sum(1))
