"""Wrong answers of ten kinds as students write them, and what is right, written for these tests.

The right ones share nothing with the solutions of the course, so that an expected value that both
lead to is true.
"""

WRONG = {
    "01-attention-by-hand": {
        # An exception: another axis, and a number of axes that it does not take.
        "softmax": """\
def softmax(x, axis=-1):
    exponentials = np.exp(x - x.max())
    return exponentials / exponentials.sum(axis=2, keepdims=True)
""",
        # Wrong values.
        "scaled_scores": """\
def scaled_scores(q, k):
    return q @ k.transpose(-2, -1) / k.shape[-1]
""",
        # Gradients are cut off.
        "attention_weights": """\
def attention_weights(scores):
    weights = torch.softmax(scores.detach(), dim=-1)
    return weights
""",
    },
    "03-causal-masking": {
        # A slip of dtype, and one of device.
        "causal_mask": """\
def causal_mask(seq_len, device="cpu"):
    return torch.tril(torch.ones(seq_len, seq_len))
""",
        # A mask that is off by one.
        "padding_mask": """\
def padding_mask(lengths, max_len):
    return torch.arange(max_len)[None, :] <= lengths[:, None]
""",
        # No refusal, and no weights.
        "causal_attention": """\
def causal_attention(q, k, v):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    allowed = torch.tril(torch.ones_like(scores)).bool()
    weights = torch.softmax(scores.masked_fill(~allowed, -1e9), dim=-1)
    return weights @ v, weights
""",
        # It writes into what it was given.
        "additive_mask": """\
def additive_mask(mask, dtype):
    out = torch.zeros(mask.shape, dtype=dtype)
    mask.logical_not_()
    return out.masked_fill(mask, float("-inf"))
""",
    },
    "04-multi-head-attention": {
        # Numbers in the wrong places, with the right shape; another error than was promised.
        "split_heads": """\
def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    return x.reshape(batch, num_heads, seq, d_model // num_heads)
""",
        # A loop that never ends.
        "merge_heads": """\
def merge_heads(x):
    while x.dim() == 4:
        x = x.transpose(1, 2)
    return x
""",
        # A module that leaves out its last layer.
        "MultiHeadAttention": """\
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError(f"{d_model} is no multiple of {num_heads}")
        self.num_heads = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (
            nn.Linear(d_model, d_model, bias=bias) for _ in range(4)
        )

    def forward(self, x, mask=None):
        batch, seq, d_model = x.shape
        q, k, v = (
            w(x).view(batch, seq, self.num_heads, -1).transpose(1, 2)
            for w in (self.w_q, self.w_k, self.w_v)
        )
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        return (weights @ v).transpose(1, 2).reshape(batch, seq, d_model), weights
""",
    },
}

RIGHT = {
    "softmax": """\
def softmax(x, axis=-1):
    import scipy.special

    return scipy.special.softmax(x, axis=axis)
""",
    "scaled_scores": """\
def scaled_scores(q, k):
    return torch.einsum("...qd,...kd->...qk", q, k) * k.shape[-1] ** -0.5
""",
    "attention_weights": """\
def attention_weights(scores):
    return torch.log_softmax(scores, -1).exp()
""",
    "causal_mask": """\
def causal_mask(seq_len, device="cpu"):
    place = torch.arange(seq_len, device=device)
    return place[:, None] >= place
""",
    "padding_mask": """\
def padding_mask(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    place = torch.arange(max_len, device=lengths.device).expand(len(lengths), max_len)
    return lengths.unsqueeze(-1).gt(place)
""",
    "causal_attention": """\
def causal_attention(q, k, v):
    if q.shape[-2] != k.shape[-2]:
        raise ValueError(f"{q.shape[-2]} queries and {k.shape[-2]} keys")
    scores = torch.einsum("...qd,...kd->...qk", q, k) * k.shape[-1] ** -0.5
    place = torch.arange(k.shape[-2], device=k.device)
    scores = torch.where(place[:, None] >= place, scores, -torch.inf)
    weights = torch.log_softmax(scores, -1).exp()
    return torch.einsum("...qk,...kd->...qd", weights, v), weights
""",
    "additive_mask": """\
def additive_mask(mask, dtype):
    return torch.where(mask, 0.0, -torch.inf).to(dtype)
""",
    "split_heads": """\
def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[-1] % num_heads:
        raise ValueError(f"{x.shape[-1]} and {num_heads}")
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)
""",
    "merge_heads": """\
def merge_heads(x):
    return torch.cat(list(x.unbind(1)), dim=-1)
""",
    "MultiHeadAttention": """\
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError(f"{d_model} is no multiple of {num_heads}")
        self.num_heads = num_heads
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=bias))

    def forward(self, x, mask=None):
        batch, seq, d_model = x.shape
        layers = (self.w_q, self.w_k, self.w_v)
        weight = torch.cat([one.weight for one in layers])
        bias = None if self.w_q.bias is None else torch.cat([one.bias for one in layers])
        if mask is not None:
            heads = self.num_heads
            mask = ~mask.expand(batch, heads, seq, seq).reshape(batch * heads, seq, seq)
        turned = x.transpose(0, 1)
        output, weights = nn.functional.multi_head_attention_forward(
            *(turned, turned, turned, d_model, self.num_heads, weight, bias, None, None, False),
            *(0.0, self.w_o.weight, self.w_o.bias),
            attn_mask=mask,
            average_attn_weights=False,
        )
        return output.transpose(0, 1), weights
""",
}
