"""Right answers to FusedMultiHeadAttention and tiled_attention whose operations are unusual."""

from functools import partial

from autograder.variants.fused_attention.fused_module import forward
from autograder.variants.variant import Variant

tiled = partial(Variant, "tiled_attention")

ATTEND = """
if mask is not None and is_causal:
    mask, is_causal = mask & torch.ones(s, s, dtype=torch.bool, device=x.device).tril(), False
y = F.scaled_dot_product_attention(
    q, k, v, attn_mask=mask, dropout_p=self.dropout if self.training else 0.0, is_causal=is_causal
)
"""

VARIANTS = (
    forward(
        "the weight itself, by einsum",
        """
b, s, d = x.shape
w = self.qkv.weight.view(3, self.num_heads, self.d_head, d)
q, k, v = torch.einsum("bsd,thed->tbhse", x, w)
if self.qkv.bias is not None:
    q, k, v = (
        t + bias.view(self.num_heads, 1, self.d_head)
        for t, bias in zip((q, k, v), self.qkv.bias.split(d))
    )
"""
        + ATTEND
        + """
return F.linear(y.movedim(1, 2).reshape(x.shape), self.out.weight, self.out.bias)
""",
    ),
    forward(
        "a product with the weight turned, then tensor_split",
        """
b, s, d = x.shape
qkv = x.flatten(0, 1) @ self.qkv.weight.T
if self.qkv.bias is not None:
    qkv += self.qkv.bias
q, k, v = (
    t.view(b, s, self.num_heads, self.d_head).permute(0, 2, 1, 3)
    for t in qkv.tensor_split(3, dim=1)
)
"""
        + ATTEND
        + """
merged = torch.empty_like(x).type_as(y)
merged.view(b, s, self.num_heads, -1)[:] = y.transpose(1, 2)
return self.out(merged)
""",
    ),
    forward(
        "called by its parameters, token by token in vmap",
        """
b, s, d = x.shape
qkv = torch.func.functional_call(self.qkv, dict(self.qkv.named_parameters()), (x,))
q, k, v = torch.func.vmap(lambda row: row.reshape(3, self.num_heads, s, -1), in_dims=0, out_dims=1)(
    qkv.unflatten(-1, (3, self.num_heads, -1)).movedim(1, 3)
)
"""
        + ATTEND
        + """
return self.out(torch.cat(y.unbind(1), dim=-1))
""",
    ),
    forward(
        "the triangle of the widened mask",
        """
b, s, d = x.shape
q, k, v = self.qkv(x).unflatten(-1, (3, self.num_heads, -1)).permute(2, 0, 3, 1, 4)
if mask is not None and is_causal:
    mask, is_causal = mask.expand(b, self.num_heads, s, s).tril(), False
p = self.dropout if self.training else 0.0
y = F.scaled_dot_product_attention(q, k, v, mask, p, is_causal, enable_gqa=True)
return self.out(y.transpose(1, 2).flatten(2))
""",
    ),
    forward(
        "minus infinity put in by index, a second time where causal",
        """
b, s, d = x.shape
q, k, v = self.qkv(x).unflatten(-1, (3, self.num_heads, -1)).permute(2, 0, 3, 1, 4)
if mask is not None:
    bias = q.new_zeros(b, self.num_heads, s, s)
    bias[~mask.expand_as(bias)] = float("-inf")
    if is_causal:
        bias = bias + torch.full((s, s), float("-inf"), dtype=q.dtype, device=x.device).triu(1)
    mask, is_causal = bias, False
p = self.dropout if self.training else 0.0
y = F.scaled_dot_product_attention(q, k, v, mask, p, is_causal)
return self.out(y.transpose(1, 2).flatten(2))
""",
    ),
    forward(
        "the lowest number times what is forbidden",
        """
b, s, d = x.shape
q, k, v = self.qkv(x).unflatten(-1, (3, self.num_heads, -1)).permute(2, 0, 3, 1, 4)
if mask is not None:
    past = torch.ones(s, s, device=x.device, dtype=torch.bool).tril()
    mask = mask.masked_fill(~past, False) if is_causal else mask
    mask, is_causal = (1.0 - mask.to(q.dtype)) * torch.finfo(q.dtype).min, False
y = F.scaled_dot_product_attention(
    q.contiguous(), k.contiguous(), v.contiguous(), attn_mask=mask, is_causal=is_causal,
    dropout_p=self.training * self.dropout,
)
return self.out(y.movedim(1, 2).reshape(b, s, d))
""",
    ),
    forward(
        "three axes under a mask, four without",
        """
b, s, d = x.shape
q, k, v = self.qkv(x).unflatten(-1, (3, self.num_heads, -1)).permute(2, 0, 3, 1, 4)
p = self.dropout if self.training else 0.0
if mask is None:
    y = F.scaled_dot_product_attention(q, k, v, dropout_p=p, is_causal=is_causal)
else:
    mask = mask.expand(b, self.num_heads, s, s)
    if is_causal:
        past = nn.Transformer.generate_square_subsequent_mask(s, device=x.device).isfinite()
        mask = torch.where(past, mask, False)
    folded = (t.flatten(0, 1) for t in (q, k, v, mask))
    y = F.scaled_dot_product_attention(*folded, dropout_p=p).unflatten(0, (b, -1))
return self.out(y.transpose(1, 2).flatten(2))
""",
    ),
    forward(
        "a causal mask kept from the first call on, made anew on another device",
        """
b, s, d = x.shape
q, k, v = self.qkv(x).unflatten(-1, (3, self.num_heads, -1)).permute(2, 0, 3, 1, 4)
if is_causal and mask is not None:
    past = getattr(self, "past", None)
    if past is None or past.shape[0] < s or past.device != x.device:
        self.past = past = torch.ones(s, s, dtype=torch.bool, device=x.device).tril()
    mask, is_causal = mask & past[:s, :s], False
y = F.scaled_dot_product_attention(
    q, k, v, attn_mask=mask, dropout_p=self.dropout if self.training else 0.0, is_causal=is_causal
)
return self.out(y.transpose(1, 2).flatten(2))
""",
    ),
    tiled(
        "from the last block to the first",
        """
        def tiled_attention(q, k, v, block_size, is_causal=False):
            m = torch.full_like(q[..., :1], torch.finfo(q.dtype).min)
            l, o = torch.zeros_like(m), q.new_zeros(*q.shape[:-1], v.shape[-1])
            rows = torch.arange(q.shape[-2], device=q.device)[:, None]
            for i in reversed(range(0, k.shape[-2], block_size)):
                kb, vb = k[..., i : i + block_size, :], v[..., i : i + block_size, :]
                s = torch.matmul(q, kb.transpose(-1, -2)) * q.shape[-1] ** -0.5
                if is_causal:
                    columns = torch.arange(i, i + kb.shape[-2], device=q.device)
                    s = s.masked_fill(columns > rows, float("-inf"))
                new = torch.maximum(m, s.max(-1, keepdim=True)[0])
                shrink, p = (m - new).exp(), (s - new).exp()
                l, o = l * shrink + p.sum(-1, keepdim=True), o * shrink + p @ vb
                m = new
            return o / l
        """,
    ),
    tiled(
        "scaled down only where a maximum rose, which is cut off from the gradient",
        """
        def tiled_attention(q, k, v, block_size, is_causal=False):
            n, scale = k.shape[-2], q.shape[-1] ** -0.5
            m = torch.full_like(q[..., :1], -math.inf)
            l, o = torch.zeros_like(m), torch.zeros_like(q[..., :1]) * v[..., :1, :]
            for i in range(0, n, block_size):
                s = (q * scale) @ k.narrow(-2, i, min(block_size, n - i)).transpose(-1, -2)
                if is_causal:
                    keys = torch.arange(i, i + s.shape[-1], device=q.device)
                    hidden = keys[None, :] > torch.arange(n, device=q.device)[:, None]
                    s[..., hidden] = -math.inf
                top = torch.maximum(m, s.data.max(-1, keepdim=True).values)
                if bool((top > m).any()):
                    factor = torch.where(top > m, (m - top).exp(), 1.0)
                    l, o = l * factor, o * factor
                    m = top
                p = torch.exp(s - m)
                assert not p.isnan().any()
                l = l + p.sum(-1, keepdim=True)
                o = o + torch.einsum("...qk,...kd->...qd", p, v[..., i : i + block_size, :])
            return torch.div(o, l)
        """,
    ),
    tiled(
        "a fold over blocks, with no matrix product",
        """
        from functools import reduce

        def tiled_attention(q, k, v, block_size, is_causal=False):
            rows = torch.arange(q.shape[-2], device=q.device).view(-1, 1)

            def step(state, block):
                m, l, o = state
                places, kb, vb = block
                s = (q.unsqueeze(-2) * kb.unsqueeze(-3)).sum(-1) / math.sqrt(q.shape[-1])
                if is_causal:
                    s = torch.where(places > rows, torch.tensor(-math.inf, dtype=s.dtype), s)
                new = torch.maximum(m, s.amax(-1))
                p, shrink = (s - new[..., None]).exp(), (m - new).exp()
                o = o * shrink[..., None] + (p.unsqueeze(-1) * vb.unsqueeze(-3)).sum(-2)
                return new, l * shrink + p.sum(-1), o

            start = (
                torch.full_like(q[..., 0], -math.inf), torch.zeros_like(q[..., 0]),
                q.new_zeros(*q.shape[:-1], v.shape[-1]),
            )
            blocks = zip(
                torch.arange(k.shape[-2], device=q.device).split(block_size),
                k.split(block_size, -2), v.split(block_size, -2),
            )
            _, l, o = reduce(step, blocks, start)
            return o / l.unsqueeze(-1)
        """,
    ),
    tiled(
        "its own backward pass",
        """
        class Tiled(torch.autograd.Function):
            @staticmethod
            def forward(ctx, q, k, v, block_size, is_causal):
                n = q.shape[-2]
                rows = torch.arange(n, device=q.device)[:, None]
                lse = q.new_full((*q.shape[:-1], 1), -math.inf)
                out = q.new_zeros((*q.shape[:-1], v.shape[-1]))
                for i in range(0, k.shape[-2], block_size):
                    j = slice(i, i + block_size)
                    s = q @ k[..., j, :].mT / math.sqrt(q.shape[-1])
                    if is_causal:
                        columns = torch.arange(i, i + s.shape[-1], device=q.device)
                        s.masked_fill_(columns > rows, -math.inf)
                    new = torch.logaddexp(lse, s.logsumexp(-1, keepdim=True))
                    out.mul_((lse - new).exp()).add_((s - new).exp() @ v[..., j, :])
                    lse = new
                ctx.save_for_backward(q, k, v, out, lse)
                ctx.block_size, ctx.is_causal = block_size, is_causal
                return out

            @staticmethod
            def backward(ctx, upstream):
                q, k, v, out, lse = ctx.saved_tensors
                scale = 1 / math.sqrt(q.shape[-1])
                s = q @ k.mT * scale
                if ctx.is_causal:
                    s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -math.inf)
                p = (s - lse).exp()
                ds = p * (upstream @ v.mT - (upstream * out).sum(-1, keepdim=True)) * scale
                return ds @ k, ds.mT @ q, p.mT @ upstream, None, None

        def tiled_attention(q, k, v, block_size, is_causal=False):
            if q.dtype in (torch.float16, torch.bfloat16):  # float16's own logaddexp is imprecise
                wide = (t.float() for t in (q, k, v))
                return Tiled.apply(*wide, block_size, is_causal).to(q.dtype)
            return Tiled.apply(q, k, v, block_size, is_causal)
        """,
    ),
)
