"""Right answers to FusedMultiHeadAttention."""

from functools import partial
from textwrap import indent

from autograder.bank import Variant

module = partial(Variant, "FusedMultiHeadAttention")

INIT = """
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__()
        if num_heads < 1 or d_model % num_heads != 0:
            raise ValueError(f"{num_heads} heads cannot share {d_model} features")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.dropout = dropout
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=bias)
        self.out = nn.Linear(d_model, d_model, bias=bias)
"""


def forward(name: str, body: str) -> Variant:
    """A right module with this body of `forward`."""
    signature = "\n    def forward(self, x, mask=None, is_causal=False):\n"
    return module(name, INIT + signature + indent(body.strip("\n"), " " * 8))


VARIANTS = (
    forward(
        "chunk, view and transpose",
        """
b, s, d = x.shape
q, k, v = self.qkv(x).chunk(3, dim=-1)
q, k, v = (t.view(b, s, self.num_heads, self.d_head).transpose(1, 2) for t in (q, k, v))
if is_causal and mask is not None:
    past = torch.tril(torch.ones(s, s, device=x.device)).bool()
    mask, is_causal = torch.logical_and(mask, past), False
p = self.dropout if self.training else 0.0
y = F.scaled_dot_product_attention(q, k, v, mask, p, is_causal)
return self.out(y.transpose(1, 2).contiguous().view(b, s, d))
""",
    ),
    forward(
        "one reshape to five axes",
        """
b, s, d = x.shape
qkv = self.qkv(x).reshape(b, s, 3, self.num_heads, self.d_head).permute(2, 0, 3, 1, 4)
q, k, v = qkv[0], qkv[1], qkv[2]
if mask is not None and is_causal:
    i = torch.arange(s, device=x.device)
    mask = mask & (i[:, None] >= i)
y = F.scaled_dot_product_attention(
    q, k, v, attn_mask=mask, dropout_p=self.dropout * self.training,
    is_causal=is_causal and mask is None,
)
return self.out(y.permute(0, 2, 1, 3).reshape(b, s, -1))
""",
    ),
    forward(
        "split by width",
        """
d = x.shape[-1]
parts = torch.split(self.qkv(x), d, dim=-1)
q, k, v = [torch.stack(part.split(self.d_head, dim=-1), dim=1) for part in parts]
if is_causal and mask is not None:
    s = x.size(1)
    mask = mask * ~torch.ones(s, s, dtype=torch.bool, device=x.device).triu(1)
y = F.scaled_dot_product_attention(
    q, k, v, attn_mask=mask, dropout_p=self.dropout if self.training else 0,
    is_causal=mask is None and is_causal,
)
return self.out(torch.cat(y.unbind(1), dim=-1))
""",
    ),
    forward(
        "an additive mask",
        """
b, s, d = x.shape
q, k, v = self.qkv(x).unflatten(-1, (3, self.num_heads, self.d_head)).unbind(2)
bias = None
if mask is not None:
    allowed = torch.ones(s, s, dtype=torch.bool, device=x.device)
    if is_causal:
        allowed, is_causal = allowed.tril(), False
    allowed = allowed & mask
    bias = torch.zeros(allowed.shape, dtype=q.dtype, device=x.device)
    bias = bias.masked_fill(~allowed, float("-inf"))
y = F.scaled_dot_product_attention(
    q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), attn_mask=bias,
    dropout_p=self.dropout if self.training else 0.0, is_causal=is_causal,
)
return self.out(y.transpose(1, 2).flatten(-2))
""",
    ),
    forward(
        "a full mask for every head",
        """
b, s, d = x.shape
q, k, v = (t.reshape(b, s, self.num_heads, -1).swapaxes(1, 2) for t in self.qkv(x).split(d, -1))
if mask is not None:
    mask = mask.expand(b, self.num_heads, s, s)
    if is_causal:
        i = torch.arange(s, device=x.device)
        mask = torch.where(i[:, None] >= i, mask, False)
        is_causal = False
y = F.scaled_dot_product_attention(
    q, k, v, attn_mask=mask, dropout_p=self.dropout if self.training else 0.0,
    is_causal=is_causal, scale=self.d_head**-0.5,
)
return self.out(y.swapaxes(1, 2).reshape(b, s, d))
""",
    ),
    forward(
        "a loop over heads",
        """
b, s, d = x.shape
if is_causal and mask is not None:
    mask, is_causal = mask & mask.new_ones(s, s).tril(), False
if mask is not None:
    mask = mask.expand(b, self.num_heads, s, s)
q, k, v = self.qkv(x).chunk(3, -1)
heads = []
for h in range(self.num_heads):
    own = slice(h * self.d_head, (h + 1) * self.d_head)
    heads.append(
        F.scaled_dot_product_attention(
            q[:, None, :, own], k[:, None, :, own], v[:, None, :, own],
            attn_mask=None if mask is None else mask[:, h : h + 1],
            dropout_p=self.dropout if self.training else 0.0, is_causal=is_causal,
        )[:, 0]
    )
return self.out(torch.cat(heads, dim=-1))
""",
    ),
    forward(
        "queries in blocks",
        """
b, s, d = x.shape
q, k, v = self.qkv(x).unflatten(-1, (3, self.num_heads, -1)).permute(2, 0, 3, 1, 4)
if mask is not None:
    mask = mask.expand(b, self.num_heads, s, s)
blocks = []
position = torch.arange(s, device=x.device)
for start in range(0, s, 64):
    own = slice(start, start + 64)
    allowed = None if mask is None else mask[:, :, own]
    if is_causal:
        past = position[own, None] >= position
        allowed = past if allowed is None else allowed & past
    p = self.dropout if self.training else 0.0
    blocks.append(F.scaled_dot_product_attention(q[:, :, own], k, v, allowed, p))
return self.out(torch.cat(blocks, dim=2).transpose(1, 2).flatten(2))
""",
    ),
    forward(
        "einsum for the layout",
        """
s = x.shape[1]
qkv = self.qkv(x).unflatten(-1, (3, self.num_heads, self.d_head))
q, k, v = torch.einsum("bsthd->tbhsd", qkv)
if is_causal and mask is not None:
    mask = mask.logical_and(torch.ones(s, s, device=x.device).tril() > 0)
y = F.scaled_dot_product_attention(
    q, k, v, attn_mask=mask, is_causal=is_causal and mask is None,
    dropout_p=self.dropout if self.training else 0.0,
)
return F.linear(torch.einsum("bhsd->bshd", y).flatten(2), self.out.weight, self.out.bias)
""",
    ),
    forward(
        "batch and heads folded",
        """
b, s, d = x.shape
h = self.num_heads
q, k, v = (
    t.reshape(b, s, h, -1).transpose(1, 2).reshape(1, b * h, s, -1)
    for t in self.qkv(x).chunk(3, dim=-1)
)
if mask is not None:
    mask = mask.expand(b, h, s, s).reshape(1, b * h, s, s)
    if is_causal:
        mask = mask & torch.ones(s, s, dtype=torch.bool, device=x.device).tril()
y = F.scaled_dot_product_attention(
    q, k, v, attn_mask=mask, is_causal=bool(is_causal) if mask is None else False,
    dropout_p=self.dropout if self.training else 0.0,
)
return self.out(y.reshape(b, h, s, -1).transpose(1, 2).reshape(b, s, d))
""",
    ),
    module(
        "a buffer, a dropout layer and small methods",
        """
        class FusedMultiHeadAttention(nn.Module):
            def __init__(self, d_model, num_heads, dropout=0.0, bias=True, max_len=64):
                super().__init__()
                if num_heads <= 0 or d_model % num_heads:
                    raise ValueError("d_model=%d, num_heads=%d" % (d_model, num_heads))
                self.num_heads = num_heads
                self.qkv = nn.Linear(d_model, d_model * 3, bias)
                self.drop = nn.Dropout(dropout)
                self.out = nn.Linear(d_model, d_model, bias)
                self.register_buffer("past", torch.tril(torch.ones(max_len, max_len)).bool())

            def heads(self, t):
                return t.unflatten(-1, (self.num_heads, -1)).transpose(-2, -3)

            def with_past(self, mask, seq):
                if seq > len(self.past):
                    self.past = torch.tril(torch.ones(seq, seq, device=mask.device)).bool()
                return self.past[:seq, :seq] & mask

            def forward(self, x, mask=None, is_causal=False):
                q, k, v = map(self.heads, self.qkv(x).chunk(3, -1))
                if is_causal and mask is not None:
                    mask, is_causal = self.with_past(mask, x.shape[1]), False
                y = F.scaled_dot_product_attention(
                    q, k, v, mask, self.drop.p if self.drop.training else 0.0, is_causal
                )
                return self.out(y.transpose(-2, -3).flatten(-2))
        """,
    ),
    module(
        "helper functions outside",
        """
        def split(x, num_heads):
            return x.view(x.shape[0], x.shape[1], num_heads, -1).transpose(1, 2)

        def merge(x):
            return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], -1)

        class WrongHeads(ValueError):
            pass

        def with_causal(mask):
            seq = mask.shape[-1]
            return mask & torch.ones(seq, seq, dtype=torch.bool, device=mask.device).tril()

        class FusedMultiHeadAttention(torch.nn.Module):
            def __init__(self, d_model: int, num_heads: int, dropout=0.0, bias=True):
                if num_heads < 1 or d_model % num_heads:
                    raise WrongHeads(f"d_model={d_model} and num_heads={num_heads} do not fit")
                super().__init__()
                self.p, self.num_heads = dropout, num_heads
                self.qkv = torch.nn.Linear(d_model, 3 * d_model, bias=bias)
                self.out = torch.nn.Linear(d_model, d_model, bias=bias)

            def forward(self, x, mask=None, is_causal=False):
                q, k, v = (split(t, self.num_heads) for t in self.qkv(x).split(x.shape[-1], dim=-1))
                if is_causal and mask is not None:
                    mask, is_causal = with_causal(mask), False
                p = self.p if self.training else 0.0
                y = F.scaled_dot_product_attention(q, k, v, mask, p, is_causal=is_causal)
                return self.out(merge(y))
        """,
    ),
)
