class LSTMRecall(nn.Module):
    """reads first, is asked afterwards"""

    def __init__(self, num_keys, num_values, d_model, bias=True):
        super().__init__()
        self.num_keys, self.num_values = num_keys, num_values
        self.reader = nn.LSTM(d_model, d_model, batch_first=True, bias=bias)
        self.pair_vectors = nn.Embedding(num_keys * num_values, d_model)
        self.key_vectors = nn.Embedding(num_keys, d_model)
        self.to_logits = nn.Linear(d_model, num_values)

    def forward(self, tokens, query):
        _, state = self.reader(self.pair_vectors(tokens))
        answer, _ = self.reader(self.key_vectors(query).unsqueeze(1), state)
        return self.to_logits(answer.squeeze(1))
