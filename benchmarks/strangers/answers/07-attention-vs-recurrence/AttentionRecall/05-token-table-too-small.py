class AttentionRecall(nn.Module):
    def __init__(self, num_keys, num_values, d_model):
        super().__init__()
        self.num_keys, self.num_values = num_keys, num_values
        self.tok = nn.Embedding(num_keys, d_model)
        self.qry = nn.Embedding(num_keys, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, num_values)

    def forward(self, tokens, query):
        x = self.tok(tokens)
        q = self.qry(query).unsqueeze(1)
        att = torch.softmax(q @ self.w_k(x).mT / math.sqrt(x.shape[-1]), -1)
        return self.w_o((att @ self.w_v(x)).squeeze(1))
