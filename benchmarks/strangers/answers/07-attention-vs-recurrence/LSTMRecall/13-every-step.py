class LSTMRecall(nn.Module):
    def __init__(self, num_keys, num_values, d_model):
        super().__init__()
        self.num_keys, self.num_values = num_keys, num_values
        self.tok = nn.Embedding(num_keys * num_values, d_model)
        self.qry = nn.Embedding(num_keys, d_model)
        self.lstm = nn.LSTM(d_model, d_model, batch_first=True)
        self.w_o = nn.Linear(d_model, num_values)

    def forward(self, tokens, query):
        x = torch.cat([self.tok(tokens), self.qry(query).unsqueeze(1)], dim=1)
        return self.w_o(self.lstm(x)[0])
