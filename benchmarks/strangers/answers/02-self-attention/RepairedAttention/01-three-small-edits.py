class RepairedAttention(nn.Module):
    """Attention of a sequence to itself, with one head: softmax(q kᵀ / sqrt(d_k)) v."""

    def __init__(self, d_model: int, d_k: int, d_v: int, bias: bool = False) -> None:
        """Make the three projections `w_q`, `w_k` and `w_v`."""
        super().__init__()
        self.w_q = nn.Linear(d_model, d_k, bias)
        self.w_k = nn.Linear(d_model, d_k, bias)
        self.w_v = nn.Linear(d_model, d_v, bias)
        self.scale = math.sqrt(d_k)  # 1: was d_model

    def forward(
        self, x: Float[Tensor, "... seq d_model"], mask: Bool[Tensor, "..."] | None = None
    ) -> tuple[Float[Tensor, "... seq d_v"], Float[Tensor, "... seq seq"]]:
        q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
        scores = q @ k.mT / self.scale
        if mask is not None:
            scores = torch.where(mask, scores, -math.inf)
        weights = torch.softmax(scores, dim=-1)  # 2: was -2
        return weights @ v, weights  # 3: the weights were missing
