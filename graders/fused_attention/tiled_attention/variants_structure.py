"""Right answers to tiled_attention whose operations are unusual."""

from functools import partial

from autograder.bank import Variant

tiled = partial(Variant, "tiled_attention")

VARIANTS = (
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
    tiled(
        "parts of all blocks joined at the end",
        """
        def tiled_attention(q, k, v, block_size, is_causal=False):
            outputs, peaks, totals = [], [], []
            rows = torch.arange(q.shape[-2], device=q.device)[:, None]
            for start in range(0, k.shape[-2], block_size):
                scores = q @ k[..., start:start + block_size, :].mT / math.sqrt(q.shape[-1])
                if is_causal:
                    columns = torch.arange(start, start + scores.shape[-1], device=q.device)
                    scores = scores.masked_fill(columns > rows, -math.inf)
                peak = scores.amax(-1, keepdim=True)
                weights = torch.exp(scores - peak.clamp(min=torch.finfo(peak.dtype).min))
                outputs.append(weights @ v[..., start:start + block_size, :])
                peaks.append(peak)
                totals.append(weights.sum(-1, keepdim=True))
            outputs, peaks, totals = (torch.stack(parts) for parts in (outputs, peaks, totals))
            rescale = torch.exp(peaks - peaks.amax(0))
            return (rescale * outputs).sum(0) / (rescale * totals).sum(0)
        """,
    ),
)
