class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v, bias=False):
        super(SelfAttention, self).__init__()
        self.w_k = nn.Linear(d_model, d_k, bias=bias)
        self.w_q = nn.Linear(d_model, d_k, bias=bias)
        self.w_v = nn.Linear(d_model, d_v, bias=bias)

    def forward(self, x, mask=None):
        keys = self.w_k(x)
        queries = self.w_q(x)
        values = self.w_v(x)
        attn_scores = queries @ keys.transpose(-1, -2)
        if mask is not None:
            attn_scores = attn_scores.masked_fill(~mask, -torch.inf)
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        context_vec = attn_weights @ values
        return context_vec, attn_weights
