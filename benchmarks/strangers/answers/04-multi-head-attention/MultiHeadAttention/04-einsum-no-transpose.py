class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, bias: bool = True):
        super().__init__()
        if num_heads < 1 or d_model % num_heads > 0:
            raise ValueError(f"(d_model, num_heads) = ({d_model}, {num_heads})")
        self.h = num_heads
        self.scale = (d_model // num_heads) ** -0.5
        self.w_q = nn.Linear(d_model, d_model, bias=bias)
        self.w_k = nn.Linear(d_model, d_model, bias=bias)
        self.w_v = nn.Linear(d_model, d_model, bias=bias)
        self.w_o = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None):
        cut = (self.h, -1)
        q = self.w_q(x).unflatten(2, cut) * self.scale
        k = self.w_k(x).unflatten(2, cut)
        v = self.w_v(x).unflatten(2, cut)
        s = torch.einsum("bqhc,bkhc->bhqk", q, k)
        if mask is not None:
            s = torch.where(mask, s, torch.full_like(s, float("-inf")))
        a = nn.functional.softmax(s, dim=-1)
        out = torch.einsum("bhqk,bkhc->bqhc", a, v).flatten(2)
        return self.w_o(out), a
