class AttentionRecall(nn.Module):
    def __init__(self, num_keys, num_values, d_model):
        super().__init__()
        self.num_keys, self.num_values = num_keys, num_values
        self.tok_emb = nn.Embedding(num_keys * num_values, d_model)
        self.pos_emb = nn.Embedding(num_keys, d_model)
        self.q_emb = nn.Embedding(num_keys, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, num_values)

    def forward(self, tokens, query):
        pos = torch.arange(tokens.shape[1], device=tokens.device)
        x = self.tok_emb(tokens) + self.pos_emb(pos)
        q = self.q_emb(query)[:, None]
        w = torch.softmax(q @ self.w_k(x).mT / math.sqrt(x.shape[-1]), dim=-1)
        return self.w_o((w @ self.w_v(x))[:, 0])
