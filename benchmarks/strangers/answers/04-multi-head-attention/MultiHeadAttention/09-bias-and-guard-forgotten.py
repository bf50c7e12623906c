class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True, dropout=0.0):
        super().__init__()
        assert d_model % num_heads == 0
        self.d_head = d_model // num_heads
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        b, s, d = x.shape
        Q = self.w_q(x).view(b, s, self.num_heads, self.d_head).permute(0, 2, 1, 3)
        K = self.w_k(x).view(b, s, self.num_heads, self.d_head).permute(0, 2, 1, 3)
        V = self.w_v(x).view(b, s, self.num_heads, self.d_head).permute(0, 2, 1, 3)
        energy = torch.matmul(Q, K.permute(0, 1, 3, 2)) / math.sqrt(self.d_head)
        if mask is not None:
            energy = energy.masked_fill(mask == 0, -1e9)
        attention = torch.softmax(energy, dim=-1)
        out = torch.matmul(self.dropout(attention), V).permute(0, 2, 1, 3).contiguous()
        return self.w_o(out.view(b, s, d)), attention
