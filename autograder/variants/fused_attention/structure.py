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
