class LSTMRecall(nn.Module):
    def __init__(self, num_keys, num_values, d_model):
        super().__init__()
        self.num_keys = num_keys
        self.num_values = num_values
        self.embed_token = nn.Embedding(num_keys * num_values, d_model)
        self.embed_query = nn.Embedding(num_keys, d_model)
        self.lstm = nn.LSTM(d_model, d_model, batch_first=True)
        self.w_o = nn.Linear(d_model, num_values)

    def forward(self, tokens, query):
        x = torch.cat([self.embed_token(tokens), self.embed_query(query)[:, None]], dim=1)
        states, _ = self.lstm(x)
        return self.w_o(states[:, -1])
