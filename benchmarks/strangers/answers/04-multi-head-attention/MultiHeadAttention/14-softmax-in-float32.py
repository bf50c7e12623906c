class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True, dropout=0.0, verbose=False):
        super().__init__()
        valid = isinstance(num_heads, int) and num_heads > 0 and d_model % num_heads == 0
        if not valid:
            raise ValueError(f"d_model ({d_model}) should be divisible by num_heads ({num_heads})")
        self.d_model = d_model
        self.num_heads = num_heads
        self.depth = d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model, bias=bias)
        self.w_k = nn.Linear(d_model, d_model, bias=bias)
        self.w_v = nn.Linear(d_model, d_model, bias=bias)
        self.w_o = nn.Linear(d_model, d_model, bias=bias)
        self.dropout = nn.Dropout(dropout)
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)

    def scaled_dot_product_attention(self, q, k, v, mask):
        matmul_qk = torch.matmul(q, k.transpose(-1, -2))
        dk = torch.tensor(k.shape[-1], dtype=torch.float32)
        scaled_attention_logits = matmul_qk / torch.sqrt(dk)
        if mask is not None:
            while mask.dim() < 4:
                mask = mask.unsqueeze(0)
            scaled_attention_logits = scaled_attention_logits.masked_fill(mask.eq(False), float("-inf"))
        attention_weights = nn.functional.softmax(scaled_attention_logits, dim=-1, dtype=torch.float32).to(q.dtype)
        return torch.matmul(attention_weights, v), attention_weights

    def forward(self, x, mask=None):
        q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
        q, k, v = split_heads(q, self.num_heads), split_heads(k, self.num_heads), split_heads(v, self.num_heads)
        scaled_attention, attention_weights = self.scaled_dot_product_attention(q, k, v, mask)
        output = self.w_o(merge_heads(scaled_attention))
        return self.dropout(output), attention_weights
