"""Right answers to SelfAttention and RepairedAttention: what is right in one is right in both."""

from textwrap import dedent

from autograder.bank import Variant

CODE = {
    "every step on a line of its own": """
        class NAME(nn.Module):
            def __init__(self, d_model, d_k, d_v, bias=False):
                super().__init__()
                self.d_k = d_k
                self.w_q = nn.Linear(d_model, d_k, bias)
                self.w_k = nn.Linear(d_model, d_k, bias)
                self.w_v = nn.Linear(d_model, d_v, bias)

            def forward(self, x, mask=None):
                Q = self.w_q(x)
                K = self.w_k(x)
                V = self.w_v(x)
                scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(self.d_k)
                if mask is not None:
                    scores = scores.masked_fill(mask == 0, float("-inf"))
                attention = torch.softmax(scores, dim=-1)
                output = torch.matmul(attention, V)
                return output, attention
        """,
    "on the function above": """
        class NAME(nn.Module):
            def __init__(self, d_model, d_k, d_v, bias=False):
                super().__init__()
                self.w_q, self.w_k = (nn.Linear(d_model, d_k, bias=bias) for _ in range(2))
                self.w_v = nn.Linear(d_model, d_v, bias=bias)

            def forward(self, x, mask=None):
                output, weights = scaled_dot_product_attention(
                    self.w_q(x), self.w_k(x), self.w_v(x), mask=mask
                )
                return output, weights
        """,
    "a buffer for the scale, and torch.where": """
        class NAME(torch.nn.Module):
            def __init__(self, d_model, d_k, d_v, bias=False):
                super().__init__()
                self.w_q = torch.nn.Linear(in_features=d_model, out_features=d_k, bias=bias)
                self.w_k = torch.nn.Linear(in_features=d_model, out_features=d_k, bias=bias)
                self.w_v = torch.nn.Linear(in_features=d_model, out_features=d_v, bias=bias)
                self.register_buffer("root", torch.tensor(float(d_k)).sqrt())

            def forward(self, x, mask=None):
                q, k, v = self.w_q(x) / self.root, self.w_k(x), self.w_v(x)
                scores = torch.einsum("...qd,...kd->...qk", q, k)
                if mask is not None:
                    scores = torch.where(mask, scores, -torch.inf)
                weights = scores.softmax(dim=-1)
                return torch.einsum("...qk,...kd->...qd", weights, v), weights
        """,
    "layers in a dictionary as well, and an additive mask": """
        class NAME(nn.Module):
            def __init__(self, d_model: int, d_k: int, d_v: int, bias: bool = False, extra=None):
                super().__init__()
                for name, width in (("w_q", d_k), ("w_k", d_k), ("w_v", d_v)):
                    setattr(self, name, nn.Linear(d_model, width, bias=bias))
                self.scale = d_k**-0.5

            def scores(self, x):
                return self.w_q(x) @ self.w_k(x).mT * self.scale

            def forward(self, x, mask=None):
                scores = self.scores(x)
                if mask is not None:
                    bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
                    scores = scores + bias.masked_fill(~mask, -math.inf)
                e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
                weights = e / e.sum(dim=-1, keepdim=True)
                return weights @ self.w_v(x), weights
        """,
    "PyTorch's attention for the output": """
        class NAME(nn.Module):
            def __init__(self, d_model, d_k, d_v, bias=False):
                super().__init__()
                self.w_q = nn.Linear(d_model, d_k, bias=bias)
                self.w_k = nn.Linear(d_model, d_k, bias=bias)
                self.w_v = nn.Linear(d_model, d_v, bias=bias)
                self.dropout = nn.Dropout(0.0)

            def forward(self, x, mask=None):
                q, k, v = (layer(x) for layer in (self.w_q, self.w_k, self.w_v))
                output = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
                scores = (q @ k.mT).div(math.sqrt(k.size(-1)))
                if mask is not None:
                    scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
                return [output, self.dropout(torch.softmax(scores, dim=-1))]
        """,
    "masked after the softmax, and shared out anew": """
        class NAME(nn.Module):
            def __init__(self, d_model, d_k, d_v, bias=False):
                super().__init__()
                self.w_v = nn.Linear(d_model, d_v, bias=bias)
                self.w_k = nn.Linear(d_model, d_k, bias=bias)
                self.w_q = nn.Linear(d_model, d_k, bias=bias)

            def forward(self, x, mask=None):
                q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
                weights = (q @ k.mT / math.sqrt(k.shape[-1])).softmax(-1)
                if mask is not None:
                    weights = weights * mask
                    weights = weights / weights.sum(-1, keepdim=True)
                return weights @ v, weights
        """,
    "a layer of its own, and weights to look at alone": """
        class NAME(nn.Module):
            def __init__(self, d_in, d_k, d_v, bias=False, *, scale=None, verbose=False):
                super().__init__()
                self.scale = scale or d_k**-0.5
                self.w_out = nn.Linear(d_v, d_v, bias=False)
                nn.init.eye_(self.w_out.weight)
                self.w_v, self.w_k, self.w_q = (
                    nn.Linear(d_in, width, bias=bias) for width in (d_v, d_k, d_k)
                )
                self.last_weights = None

            def _hide(self, scores, mask):
                return scores if mask is None else scores.masked_fill(~mask, -math.inf)

            def forward(self, tokens, mask=None, return_scores=False):
                scores = self.w_q(tokens) @ self.w_k(tokens).mT * self.scale
                weights = self._hide(scores, mask).softmax(-1)
                self.last_weights = weights.detach()
                output = self.w_out(weights @ self.w_v(tokens))
                if return_scores:
                    return output, self.last_weights, scores
                return [output, self.last_weights]
        """,
    "float32 for the softmax, cast back": """
        class NAME(nn.Module):
            def __init__(self, d_model, d_k, d_v, bias=False):
                super().__init__()
                self.w_q = nn.Linear(d_model, d_k, bias=bias)
                self.w_k = nn.Linear(d_model, d_k, bias=bias)
                self.w_v = nn.Linear(d_model, d_v, bias=bias)

            def forward(self, x, mask=None):
                q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
                scores = q.float() @ k.float().mT / math.sqrt(k.shape[-1])
                if mask is not None:
                    scores = scores.masked_fill(~mask, -1e9)
                weights = scores.softmax(-1).to(v.dtype)
                return weights @ v, weights
        """,
}

VARIANTS = tuple(
    Variant(exercise, name, dedent(code).replace("NAME", exercise))
    for exercise in ("SelfAttention", "RepairedAttention")
    for name, code in CODE.items()
)
