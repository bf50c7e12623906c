class LSTMRecall(nn.Module):
    def __init__(self, num_keys, num_values, d_model):
        super().__init__()
        self.num_keys, self.num_values = num_keys, num_values
        self.vocab = nn.Embedding(num_keys * num_values + num_keys, d_model)
        self.lstm = nn.LSTM(d_model, d_model, num_layers=1, batch_first=True)
        self.fc = nn.Linear(d_model, num_values)

    def forward(self, tokens, query):
        ids = torch.cat([tokens, (query + self.num_keys * self.num_values).unsqueeze(1)], dim=1)
        out, (hn, cn) = self.lstm(self.vocab(ids))
        return self.fc(hn.squeeze(0))
