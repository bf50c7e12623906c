class AttentionRecall(nn.Module):
    def __init__(self, num_keys, num_values, d_model):
        super().__init__()
        self.num_keys = int(num_keys)
        self.num_values = int(num_values)
        self.scale = d_model ** -0.5
        self.layers = nn.ModuleDict({
            "token": nn.Embedding(num_keys * num_values, d_model),
            "query": nn.Embedding(num_keys, d_model),
            "k": nn.Linear(d_model, d_model, bias=False),
            "v": nn.Linear(d_model, d_model, bias=False),
            "o": nn.Linear(d_model, num_values),
        })

    def forward(self, tokens, query):
        L = self.layers
        e = L["token"](tokens)
        s = torch.einsum("bd,bpd->bp", L["query"](query), L["k"](e)) * self.scale
        out = torch.einsum("bp,bpd->bd", s.softmax(1), L["v"](e))
        return L["o"](out)
