class SelfAttention(nn.Module):
    def __init__(self, d_model: int, d_k: int, d_v: int, bias: bool = False) -> None:
        super().__init__()
        for name, width in (("w_q", d_k), ("w_k", d_k), ("w_v", d_v)):
            self.add_module(name, nn.Linear(d_model, width, bias))
        self.register_buffer("scale", torch.tensor(d_k ** -0.5, dtype=torch.float64), persistent=False)

    def forward(self, x, mask=None):
        q, k, v = (layer(x) for layer in (self.w_q, self.w_k, self.w_v))
        s = torch.einsum("...id,...jd->...ij", q, k) * self.scale
        if mask is not None:
            s = torch.where(mask, s, -torch.inf)
        w = s.softmax(-1)
        return torch.einsum("...ij,...jd->...id", w, v), w
