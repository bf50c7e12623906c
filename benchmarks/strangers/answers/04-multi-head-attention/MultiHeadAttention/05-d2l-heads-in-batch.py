class MultiHeadAttention(nn.Module):
    """d2l style: (batch * heads, seq, d_head)"""

    def __init__(self, d_model, num_heads, bias=True, **kwargs):
        super().__init__(**kwargs)
        if num_heads < 1 or d_model % num_heads:
            raise ValueError(f"num_hiddens {d_model} and num_heads {num_heads} do not fit")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model, bias=bias)
        self.w_k = nn.Linear(d_model, d_model, bias=bias)
        self.w_v = nn.Linear(d_model, d_model, bias=bias)
        self.w_o = nn.Linear(d_model, d_model, bias=bias)

    def transpose_qkv(self, X):
        X = X.reshape(X.shape[0], X.shape[1], self.num_heads, -1)
        X = X.permute(0, 2, 1, 3)
        return X.reshape(-1, X.shape[2], X.shape[3])

    def forward(self, x, mask=None):
        B, S, D = x.shape
        queries = self.transpose_qkv(self.w_q(x))
        keys = self.transpose_qkv(self.w_k(x))
        values = self.transpose_qkv(self.w_v(x))
        scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(queries.shape[-1])
        if mask is not None:
            full = torch.broadcast_to(mask, (B, self.num_heads, S, S)).reshape(-1, S, S)
            add = torch.zeros_like(scores).masked_fill_(~full, float("-inf"))
            scores = scores + add
        weights = torch.softmax(scores, dim=-1)
        out = torch.bmm(weights, values)
        out = out.reshape(-1, self.num_heads, S, D // self.num_heads).permute(0, 2, 1, 3)
        out = out.reshape(B, S, D)
        return self.w_o(out), weights.reshape(B, self.num_heads, S, S)
