class AttentionRecall(nn.Module):
    def __init__(self, num_keys, num_values, d_model):
        super().__init__()
        self.emb = nn.Embedding(num_keys * num_values, d_model)
        self.qemb = nn.Embedding(num_keys, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, num_values)

    def forward(self, tokens, query):
        x = self.emb(tokens)
        q = self.qemb(query).unsqueeze(1)
        a = F.softmax(q @ self.w_k(x).transpose(-2, -1) / math.sqrt(x.size(-1)), dim=-1)
        logits = self.w_o((a @ self.w_v(x)).squeeze(1))
        return F.softmax(logits, dim=-1)
