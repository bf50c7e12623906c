"""Right answers to additive_mask, masked_softmax and causal_attention."""

from functools import partial

from autograder.bank import Variant

additive = partial(Variant, "additive_mask")
softmax = partial(Variant, "masked_softmax")

ADDITIVE = (
    additive(
        "where",
        """
        def additive_mask(mask, dtype):
            zero = torch.zeros((), dtype=dtype, device=mask.device)
            return torch.where(mask, zero, -torch.inf)
        """,
    ),
    additive(
        "the logarithm of ones and zeros",
        """
        def additive_mask(mask, dtype):
            return mask.to(dtype).log()
        """,
    ),
    additive(
        "filled in place in a tensor of its own",
        """
        def additive_mask(mask, dtype):
            bias = torch.zeros_like(mask, dtype=dtype)
            bias.masked_fill_(mask.logical_not(), float("-inf"))
            return bias
        """,
    ),
    additive(
        "infinities, and zeros by index",
        """
        def additive_mask(mask, dtype):
            bias = torch.full(mask.shape, -torch.inf, device=mask.device).to(dtype)
            bias[mask] = 0
            return bias
        """,
    ),
    additive(
        "minus one over one or zero, cast at the end",
        """
        def additive_mask(mask, dtype):
            return (1 - 1 / mask.double()).to(dtype)
        """,
    ),
    additive(
        "a check of its own result",
        """
        def additive_mask(mask, dtype):
            bias = torch.zeros(mask.shape, dtype=dtype, device=mask.device)
            bias = bias.masked_fill(~mask, -float("inf"))
            assert not bias.isnan().any()
            return bias
        """,
    ),
    additive(
        "other names and more arguments",
        """
        def additive_mask(allowed, kind, fill=float("-inf"), *, copy=True):
            bias = allowed.new_zeros(allowed.size(), dtype=kind)
            return bias.masked_fill(allowed == False, fill)
        """,
    ),
)

SOFTMAX = (
    softmax(
        "the lowest number, then zeros",
        """
        def masked_softmax(scores, mask):
            lowest = torch.finfo(scores.dtype).min
            weights = torch.softmax(scores.masked_fill(~mask, lowest), dim=-1)
            return weights.masked_fill(~mask, 0.0)
        """,
    ),
    softmax(
        "where, and NaN painted over where no gradient comes by",
        """
        def masked_softmax(scores, mask):
            weights = torch.where(mask, scores, -torch.inf).softmax(-1)
            return torch.where(mask, weights, 0.0)
        """,
    ),
    softmax(
        "nan_to_num after masked_fill, which lets no gradient by",
        """
        def masked_softmax(scores, mask):
            scores = scores.masked_fill(~mask, float("-inf"))
            return torch.nan_to_num(torch.softmax(scores, dim=-1), nan=0.0)
        """,
    ),
    softmax(
        "exponentials by hand",
        """
        def masked_softmax(scores, mask):
            filled = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
            top = filled.amax(dim=-1, keepdim=True).detach()
            e = torch.exp(filled - top) * mask
            total = e.sum(dim=-1, keepdim=True)
            return e / total.masked_fill(total == 0, 1.0)
        """,
    ),
    softmax(
        "an additive mask, empty rows left open",
        """
        def masked_softmax(scores, mask):
            alive = mask.any(-1, keepdim=True)
            bias = additive_mask(mask | ~alive, scores.dtype)
            return torch.softmax(scores.masked_fill(~mask, 0.0) + bias, dim=-1) * alive
        """,
    ),
    softmax(
        "by log-sum-exp, in float32 or wider",
        """
        def masked_softmax(scores, mask):
            dtype = scores.dtype
            wide = scores if dtype == torch.float64 else scores.float()
            dead = ~mask.any(dim=-1, keepdim=True)
            wide = wide.masked_fill(~mask & ~dead, float("-inf"))
            weights = torch.exp(wide - wide.logsumexp(dim=-1, keepdim=True))
            return weights.masked_fill(dead, 0.0).to(dtype)
        """,
    ),
    softmax(
        "the mask expanded first",
        """
        def masked_softmax(scores, mask):
            mask = mask.expand_as(scores)
            empty = mask.sum(-1, keepdim=True) == 0
            safe = torch.where(empty, torch.zeros_like(scores), scores)
            safe = safe.masked_fill(~mask & ~empty, -torch.inf)
            return torch.where(empty, torch.zeros_like(scores), torch.softmax(safe, -1))
        """,
    ),
    softmax(
        "-1e4, which every dtype holds, then zeros",
        """
        def masked_softmax(scores, mask):
            top = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).amax(-1, keepdim=True)
            shifted = (scores - top.detach()).masked_fill(~mask, -1e4)
            return torch.softmax(shifted, dim=-1) * mask
        """,
    ),
    softmax(
        "a check of its own result",
        """
        def masked_softmax(scores, mask):
            dead = ~mask.any(dim=-1, keepdim=True)
            scores = scores.masked_fill(~(mask | dead), -torch.inf)
            weights = torch.softmax(scores, dim=-1).masked_fill(dead, 0.0)
            assert not weights.isnan().any()
            return weights
        """,
    ),
    softmax(
        "a helper, other names and more arguments",
        """
        def _empty(allowed, dim):
            return ~allowed.any(dim=dim, keepdim=True)

        def masked_softmax(s, allowed, dim=-1, *, eps=0.0):
            nobody = _empty(allowed, dim)
            filled = torch.where(allowed | nobody, s, -torch.inf)
            shares = torch.softmax(filled, dim=dim)
            return torch.where(nobody, eps, shares).to(s.dtype)
        """,
    ),
)

REFUSE = """
    if q.shape[-2] != k.shape[-2]:
        raise ValueError(f"{q.shape[-2]} queries, {k.shape[-2]} keys")
"""


def attention(name: str, body: str) -> Variant:
    """A right causal_attention with this body."""
    head = f"def causal_attention(q, k, v):{REFUSE}"
    lines = (f"    {line}" if line else "" for line in body.strip("\n").split("\n"))
    return Variant("causal_attention", name, head + "\n".join(lines) + "\n")


ATTENTION = (
    attention(
        "a list, and weights to look at alone",
        """
mask = causal_mask(k.shape[-2], device=q.device)
weights = masked_softmax(q @ k.mT / math.sqrt(q.shape[-1]), mask)
return [weights @ v, weights.detach()]
""",
    ),
    attention(
        "written out in one place",
        """
seq = q.shape[-2]
scores = q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5
future = torch.triu(torch.ones(seq, seq, dtype=torch.bool, device=q.device), diagonal=1)
weights = torch.softmax(scores.masked_fill(future, float("-inf")), dim=-1)
return weights @ v, weights
""",
    ),
    attention(
        "einsum, scaled queries",
        """
mask = causal_mask(q.size(-2), q.device)
scores = torch.einsum("...id,...jd->...ij", q * q.size(-1) ** -0.5, k)
weights = masked_softmax(scores, mask)
return torch.einsum("...ij,...jd->...id", weights, v), weights
""",
    ),
    attention(
        "an additive mask, infinite scores cut before it",
        """
bias = additive_mask(causal_mask(k.shape[-2], device=k.device), q.dtype)
scores = torch.nan_to_num(q @ k.mT / math.sqrt(q.shape[-1]))
weights = (scores + bias).softmax(dim=-1)
return torch.matmul(weights, v), weights
""",
    ),
    attention(
        "the future's keys taken away before they meet a query",
        """
rows, seq = [], q.shape[-2]
for i in range(seq):
    past = torch.arange(seq, device=q.device) <= i
    seen = torch.where(past[:, None], k, 0.0) @ q[..., i, :, None] / math.sqrt(q.shape[-1])
    rows.append(seen.squeeze(-1).masked_fill(~past, -torch.inf).softmax(-1))
weights = torch.stack(rows, dim=-2)
return weights @ v, weights
""",
    ),
    attention(
        "a loop over queries",
        """
rows = []
for i in range(q.shape[-2]):
    seen = (q[..., i : i + 1, :] @ k[..., : i + 1, :].mT / math.sqrt(k.shape[-1])).softmax(-1)
    rows.append(torch.nn.functional.pad(seen, (0, k.shape[-2] - i - 1)))
weights = torch.cat(rows, dim=-2)
return weights @ v, weights
""",
    ),
    attention(
        "the lowest number of the dtype",
        """
mask = causal_mask(k.shape[-2], device=q.device)
scores = torch.matmul(q, k.mT) * (1 / math.sqrt(k.shape[-1]))
scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
weights = torch.nn.functional.softmax(scores, dim=-1)
return (weights @ v, weights)
""",
    ),
    attention(
        "-1e9 where float32 or bfloat16 hold it",
        """
mask = causal_mask(k.shape[-2], device=q.device)
scores = q @ k.mT / math.sqrt(k.shape[-1])
fill = -1e4 if scores.dtype == torch.float16 else -1e9
weights = scores.masked_fill(~mask, fill).softmax(-1)
return weights @ v, weights
""",
    ),
    attention(
        "PyTorch's function for the output, weights by hand",
        """
output = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
weights = masked_softmax(q @ k.mT / math.sqrt(k.shape[-1]), causal_mask(k.shape[-2], q.device))
return output, weights
""",
    ),
    attention(
        "exponentials by hand, a list returned as a tuple",
        """
scores = q @ k.mT / math.sqrt(k.shape[-1])
past = torch.ones_like(scores, dtype=torch.bool).tril()
scores = scores.masked_fill(~past, -torch.inf)
e = (scores - scores.amax(-1, keepdim=True)).exp()
weights = e / e.sum(-1, keepdim=True)
return tuple([weights @ v, weights])
""",
    ),
)

VARIANTS = (*ADDITIVE, *SOFTMAX, *ATTENTION)
