class LSTMRecall(nn.Module):
    def __init__(self, num_keys, num_values, d_model):
        super().__init__()
        self.num_keys, self.num_values = num_keys, num_values
        self.embedding = nn.Embedding(num_keys * num_values, d_model)
        self.query_embedding = nn.Embedding(num_keys, d_model)
        self.lstm = nn.LSTM(d_model, d_model, batch_first=True)
        self.linear = nn.Linear(d_model, num_values)

    def forward(self, tokens, query):
        x = torch.cat([self.embedding(tokens), self.query_embedding(query)[:, None]], 1)
        out, _ = self.lstm(x)
        return self.linear(out.mean(dim=1))
