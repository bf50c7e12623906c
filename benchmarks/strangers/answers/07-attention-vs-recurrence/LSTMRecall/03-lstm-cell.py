class LSTMRecall(nn.Module):
    def __init__(self, num_keys, num_values, d_model):
        super().__init__()
        self.num_keys = num_keys
        self.num_values = num_values
        self.d_model = d_model
        self.tokens = nn.Embedding(num_keys * num_values, d_model)
        self.queries = nn.Embedding(num_keys, d_model)
        self.cell = nn.LSTMCell(d_model, d_model)
        self.w_o = nn.Linear(d_model, num_values)

    def forward(self, tokens, query):
        h = c = None
        for t in range(tokens.shape[1]):
            x = self.tokens(tokens[:, t])
            h, c = self.cell(x, (h, c)) if h is not None else self.cell(x)
        h, c = self.cell(self.queries(query), (h, c))
        return self.w_o(h)
