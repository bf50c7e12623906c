class AttentionRecall(nn.Module):
    def __init__(self, num_keys, num_values, d_model):
        super().__init__()
        self.d_model = d_model
        self.token_emb = nn.Embedding(num_keys * num_values, d_model)
        self.query_emb = nn.Embedding(num_keys, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, num_values)

    def forward(self, tokens, query):
        x = self.token_emb(tokens)
        q = self.query_emb(query).unsqueeze(1)
        w = torch.softmax(q @ self.w_k(x).transpose(1, 2) / math.sqrt(self.d_model), dim=-1)
        return self.w_o(w @ self.w_v(x))
