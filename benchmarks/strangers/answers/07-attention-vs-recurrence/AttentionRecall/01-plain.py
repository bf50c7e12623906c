class AttentionRecall(nn.Module):
    def __init__(self, num_keys, num_values, d_model):
        super().__init__()
        self.num_keys = num_keys
        self.num_values = num_values
        self.embed_token = nn.Embedding(num_keys * num_values, d_model)
        self.embed_query = nn.Embedding(num_keys, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, num_values)

    def forward(self, tokens, query):
        x = self.embed_token(tokens)
        q = self.embed_query(query).unsqueeze(1)  # (batch, 1, d)
        k, v = self.w_k(x), self.w_v(x)
        scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
        weights = torch.softmax(scores, dim=-1)
        return self.w_o((weights @ v).squeeze(1))
