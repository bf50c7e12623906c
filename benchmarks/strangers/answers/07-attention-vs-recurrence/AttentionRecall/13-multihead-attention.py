class AttentionRecall(nn.Module):
    def __init__(self, num_keys, num_values, d_model):
        super().__init__()
        self.num_keys = num_keys
        self.num_values = num_values
        self.token_embedding = nn.Embedding(num_keys * num_values, d_model)
        self.query_embedding = nn.Embedding(num_keys, d_model)
        self.attention = nn.MultiheadAttention(d_model, num_heads=1, batch_first=True)
        self.w_o = nn.Linear(d_model, num_values)

    def forward(self, tokens, query):
        pairs = self.token_embedding(tokens)
        asked = self.query_embedding(query).unsqueeze(1)
        found, _ = self.attention(asked, pairs, pairs, need_weights=False)
        return self.w_o(found.squeeze(1))
