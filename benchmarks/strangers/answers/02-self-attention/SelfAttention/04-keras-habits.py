class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v, bias=False, dropout_rate=0.0):
        super().__init__()
        self.units = d_k
        self.w_q = nn.Linear(d_model, d_k, bias)
        self.w_k = nn.Linear(d_model, d_k, bias)
        self.w_v = nn.Linear(d_model, d_v, bias)
        self.dropout = nn.Dropout(dropout_rate)
        for layer in (self.w_q, self.w_k, self.w_v):   # glorot, like in Keras
            nn.init.xavier_uniform_(layer.weight)

    def compute_scores(self, query, key):
        return torch.matmul(query, key.mT) / math.sqrt(self.units)

    def call(self, inputs, mask=None):
        query, key, value = self.w_q(inputs), self.w_k(inputs), self.w_v(inputs)
        scores = self.compute_scores(query, key)
        if mask is not None:
            scores = scores.masked_fill(torch.logical_not(mask), -math.inf)
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return torch.matmul(weights, value), weights

    def forward(self, x, mask=None):
        return self.call(x, mask)
