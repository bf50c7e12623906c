class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if num_heads < 1:
            raise ValueError(f"need at least one head, not {num_heads}, for {d_model} features")
        if d_model % num_heads != 0:
            raise ValueError(f"{num_heads} heads do not share {d_model} features evenly")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (
            nn.Linear(d_model, d_model, bias=bias) for _ in range(4)
        )

    def forward(self, x, mask=None):
        batch, seq, _ = x.shape
        q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
        if mask is not None:
            mask = mask.expand(batch, self.num_heads, seq, seq)
        outs, all_weights = [], []
        for h in range(self.num_heads):
            part = slice(h * self.d_head, (h + 1) * self.d_head)
            scores = torch.bmm(q[..., part], k[..., part].transpose(1, 2)) / self.d_head**0.5
            if mask is not None:
                scores = scores.masked_fill(mask[:, h].logical_not(), -torch.inf)
            w = torch.softmax(scores, dim=2)
            all_weights.append(w)
            outs.append(torch.bmm(w, v[..., part]))
        return self.w_o(torch.cat(outs, dim=2)), torch.stack(all_weights, dim=1)
