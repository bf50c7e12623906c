class LSTMRecall(nn.Module):
    def __init__(self, num_keys: int, num_values: int, d_model: int) -> None:
        super().__init__()
        self.num_keys, self.num_values = num_keys, num_values
        self.tok = nn.Embedding(num_keys * num_values, d_model)
        self.qry = nn.Embedding(num_keys, d_model)
        self.rnn = nn.LSTM(input_size=d_model, hidden_size=d_model)
        self.head = nn.Linear(d_model, num_values)

    def forward(self, tokens, query):
        pairs = self.tok(tokens.t())  # (pairs, batch, d)
        asked = self.qry(query).unsqueeze(0)  # (1, batch, d)
        output, (h_n, c_n) = self.rnn(torch.cat((pairs, asked), dim=0))
        return self.head(h_n[-1])
