"""Right answers to MultiHeadAttention."""

from functools import partial
from textwrap import indent

from autograder.bank import Variant

INIT = """
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if num_heads < 1 or d_model % num_heads != 0:
            raise ValueError(f"{num_heads} heads cannot share {d_model} features")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model, bias=bias)
        self.w_k = nn.Linear(d_model, d_model, bias=bias)
        self.w_v = nn.Linear(d_model, d_model, bias=bias)
        self.w_o = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None):
"""

module = partial(Variant, "MultiHeadAttention")


def forward(name: str, body: str) -> Variant:
    """A right module with this body of `forward`."""
    return module(
        name, "import torch\n\n" + INIT.strip("\n") + "\n" + indent(body.strip("\n"), " " * 8)
    )


VARIANTS = (
    forward(
        "a loop over heads",
        """
q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
batch, seq, _ = x.shape
if mask is not None:
    mask = mask.expand(batch, self.num_heads, seq, seq)
outputs, weights = [], []
for h in range(self.num_heads):
    own = slice(h * self.d_head, (h + 1) * self.d_head)
    scores = q[..., own] @ k[..., own].transpose(-2, -1) / math.sqrt(self.d_head)
    if mask is not None:
        scores = scores.masked_fill(mask[:, h] == False, float("-inf"))
    weights.append(torch.softmax(scores, dim=-1))
    outputs.append(weights[-1] @ v[..., own])
return self.w_o(torch.cat(outputs, dim=-1)), torch.stack(weights, dim=1)
""",
    ),
    forward(
        "view, matmul and transposes",
        """
b, s, d = x.size()
q = self.w_q(x).view(b, s, self.num_heads, self.d_head).transpose(1, 2)
k = self.w_k(x).view(b, s, self.num_heads, self.d_head).transpose(1, 2)
v = self.w_v(x).view(b, s, self.num_heads, self.d_head).transpose(1, 2)
scores = torch.matmul(q, k.transpose(-2, -1)) / self.d_head**0.5
if mask is not None:
    scores = scores.masked_fill(mask.logical_not(), torch.finfo(scores.dtype).min)
attn = torch.nn.functional.softmax(scores, dim=-1)
out = torch.matmul(attn, v).transpose(1, 2).contiguous().view(b, s, d)
return self.w_o(out), attn
""",
    ),
    forward(
        "einsum throughout",
        """
b, s, _ = x.shape
q, k, v = (w(x).reshape(b, s, self.num_heads, -1) for w in (self.w_q, self.w_k, self.w_v))
scores = torch.einsum("bqhc,bkhc->bhqk", q * self.d_head**-0.5, k)
if mask is not None:
    scores = torch.where(mask, scores, -torch.inf)
weights = scores.softmax(-1)
return self.w_o(torch.einsum("bhqk,bkhc->bqhc", weights, v).flatten(2)), weights
""",
    ),
    forward(
        "an additive mask",
        """
q, k, v = (split_heads(w(x), self.num_heads) for w in (self.w_q, self.w_k, self.w_v))
scores = q @ k.mT / q.shape[-1] ** 0.5
if mask is not None:
    bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
    scores = scores + bias.masked_fill(~mask, float("-inf"))
weights = torch.softmax(scores, dim=-1)
return self.w_o(merge_heads(weights @ v)), weights
""",
    ),
    forward(
        "softmax by hand, in float32",
        """
q, k, v = (split_heads(layer(x), self.num_heads) for layer in (self.w_q, self.w_k, self.w_v))
scores = (q @ k.transpose(2, 3)).double() / math.sqrt(self.d_head)
if mask is not None:
    scores = scores.masked_fill(~mask, float("-inf"))
shares = (scores - scores.amax(-1, keepdim=True)).exp()
weights = (shares / shares.sum(-1, keepdim=True)).to(x.dtype)
return self.w_o(merge_heads(weights @ v)), weights
""",
    ),
    forward(
        "masked after the softmax, and shared out anew",
        """
q, k, v = (split_heads(layer(x), self.num_heads) for layer in (self.w_q, self.w_k, self.w_v))
weights = (q @ k.mT / math.sqrt(self.d_head)).softmax(-1)
if mask is not None:
    weights = weights * mask
    weights = weights / weights.sum(-1, keepdim=True)
return self.w_o(merge_heads(weights @ v)), weights
""",
    ),
    forward(
        "batch and heads folded, baddbmm",
        """
b, s, d = x.shape
h = self.num_heads
q, k, v = (split_heads(w(x), h).reshape(b * h, s, -1) for w in (self.w_q, self.w_k, self.w_v))
bias = torch.zeros(b, h, s, s, dtype=q.dtype, device=x.device)
if mask is not None:
    bias = bias.masked_fill(~mask, -math.inf)
scores = torch.baddbmm(bias.view(b * h, s, s), q, k.mT, alpha=self.d_head**-0.5)
weights = scores.softmax(-1)
out = (weights @ v).view(b, h, s, -1)
return self.w_o(merge_heads(out)), weights.view(b, h, s, s)
""",
    ),
    forward(
        "weights by hand, output by the fused function",
        """
q, k, v = (split_heads(w(x), self.num_heads) for w in (self.w_q, self.w_k, self.w_v))
out = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
scores = q @ k.mT / math.sqrt(self.d_head)
if mask is not None:
    scores[~mask.expand_as(scores)] = -math.inf
return self.w_o(merge_heads(out)), scores.softmax(-1)
""",
    ),
    forward(
        "PyTorch's own function, on the four weights as they are",
        """
b, s, d = x.shape
h, t = self.num_heads, x.transpose(0, 1)
if mask is not None:
    mask = ~mask.expand(b, h, s, s).reshape(b * h, s, s)
biases = [w.bias for w in (self.w_q, self.w_k, self.w_v)]
output, weights = torch.nn.functional.multi_head_attention_forward(
    t, t, t, d, h, None, None if biases[0] is None else torch.cat(biases), None, None, False, 0.0,
    self.w_o.weight, self.w_o.bias, attn_mask=mask, use_separate_proj_weight=True,
    q_proj_weight=self.w_q.weight, k_proj_weight=self.w_k.weight, v_proj_weight=self.w_v.weight,
    average_attn_weights=False,
)
return output.transpose(0, 1), weights
""",
    ),
    forward(
        "weights as what the fused function makes of the identity",
        """
q, k, v = (split_heads(w(x), self.num_heads) for w in (self.w_q, self.w_k, self.w_v))
own = torch.eye(x.shape[1], dtype=x.dtype, device=x.device).expand(*q.shape[:2], -1, -1)
weights = torch.nn.functional.scaled_dot_product_attention(q, k, own, attn_mask=mask)
return self.w_o(merge_heads(weights @ v)), weights
""",
    ),
    forward(
        "the logarithm of the mask, and one head at a time in vmap",
        """
def attend(q, k, v, allowed):
    scores = (q * self.d_head**-0.25) @ (k * self.d_head**-0.25).mT + allowed.to(q.dtype).log()
    weights = scores.log_softmax(-1).exp()
    return weights @ v, weights

per_head = (split_heads(w(x), self.num_heads) for w in (self.w_q, self.w_k, self.w_v))
allowed = torch.ones((), dtype=torch.bool, device=x.device) if mask is None else mask
allowed = allowed.expand(len(x), self.num_heads, x.shape[1], x.shape[1])
heads, weights = torch.func.vmap(attend, in_dims=1, out_dims=1)(*per_head, allowed)
return self.w_o(merge_heads(heads)), weights
""",
    ),
    forward(
        "a number to add that float16 cannot hold, made in the dtype of the scores",
        """
q, k, v = (split_heads(w(x), self.num_heads) for w in (self.w_q, self.w_k, self.w_v))
scores = q @ k.mT / math.sqrt(self.d_head)
if mask is not None:
    scores = scores + (1 - mask.to(scores.dtype)) * -1e9
weights = scores.softmax(-1)
return self.w_o(merge_heads(weights @ v)), weights
""",
    ),
    module(
        "small methods, a list of layers and other defaults",
        """
        def attend(q, k, v, mask):
            scores = q @ k.mT * k.size(-1) ** -0.5
            if mask is not None:
                scores = scores.masked_fill(~mask, -math.inf)
            weights = scores.softmax(-1)
            return weights @ v, weights

        class MultiHeadAttention(nn.Module):
            def __init__(self, d_model: int, num_heads: int, bias: bool = True, dropout: float = 0):
                super().__init__()
                if num_heads <= 0 or d_model % num_heads:
                    raise ValueError("d_model=%d, num_heads=%d" % (d_model, num_heads))
                self.heads = num_heads
                for name in ("w_q", "w_k", "w_v", "w_o"):
                    self.add_module(name, nn.Linear(d_model, d_model, bias))
                self.dropout = nn.Dropout(dropout)

            def split(self, x):
                return x.unflatten(-1, (self.heads, -1)).transpose(-2, -3)

            def forward(self, x, mask=None):
                parts = [self.split(layer(x)) for layer in (self.w_q, self.w_k, self.w_v)]
                out, self.last = attend(*parts, mask)
                return self.w_o(self.dropout(out).transpose(-2, -3).flatten(-2)), self.last
        """,
    ),
    module(
        "layers in another order, other names, a list, and weights to look at alone",
        """
        import torch

        class MultiHeadAttention(nn.Module):
            def __init__(self, width, heads, bias=True, *, scale=None, name="attention"):
                super().__init__()
                self._check(width, heads)
                self.w_o = nn.Linear(width, width, bias=bias)
                self.w_v = nn.Linear(width, width, bias=bias)
                self.w_q = nn.Linear(width, width, bias=bias)
                self.w_k = nn.Linear(width, width, bias=bias)
                self.heads, self.name = heads, name
                self.register_buffer("scale", torch.tensor(scale or (width // heads) ** -0.5))

            @staticmethod
            def _check(width, heads):
                if heads < 1 or width % heads:
                    raise ValueError(f"{heads} heads do not divide {width} features")

            def forward(self, tokens, mask=None, need_weights=True):
                q, k, v = (
                    split_heads(layer(tokens), self.heads)
                    for layer in (self.w_q, self.w_k, self.w_v)
                )
                scores = q @ k.mT * self.scale
                if mask is not None:
                    scores = scores.masked_fill(~mask, -math.inf)
                weights = scores.softmax(-1)
                output = self.w_o(merge_heads(weights @ v))
                return [output, weights.detach()] if need_weights else output
        """,
    ),
)
