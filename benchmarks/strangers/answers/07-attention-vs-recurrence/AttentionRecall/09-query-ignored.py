class AttentionRecall(nn.Module):
    def __init__(self, num_keys, num_values, d_model):
        super().__init__()
        self.num_keys, self.num_values = num_keys, num_values
        self.embed = nn.Embedding(num_keys * num_values, d_model)
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, num_values)

    def forward(self, tokens, query):
        x = self.embed(tokens)
        q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
        w = torch.softmax(q @ k.mT, dim=-1)
        return self.w_o((w @ v).mean(dim=1))
