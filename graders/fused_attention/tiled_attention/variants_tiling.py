"""Right answers to tiled_attention."""

from functools import partial

from autograder.bank import Variant

tiled = partial(Variant, "tiled_attention")

VARIANTS = (
    tiled(
        "split into blocks",
        """
        def tiled_attention(q, k, v, block_size, is_causal=False):
            m = torch.full_like(q[..., :1], float("-inf"))
            l = torch.zeros_like(m)
            acc = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
            rows = torch.arange(q.shape[-2], device=q.device).unsqueeze(1)
            start = 0
            for kb, vb in zip(k.split(block_size, -2), v.split(block_size, -2)):
                s = torch.einsum("...qd,...kd->...qk", q, kb) * q.shape[-1] ** -0.5
                if is_causal:
                    cols = torch.arange(start, start + kb.shape[-2], device=q.device)
                    s = torch.where(cols <= rows, s, float("-inf"))
                m_new = torch.maximum(m, s.max(dim=-1, keepdim=True).values)
                p = (s - m_new).exp()
                alpha = (m - m_new).exp()
                l = l * alpha + p.sum(-1, keepdim=True)
                acc = acc * alpha + p @ vb
                m = m_new
                start += kb.shape[-2]
            return acc / l
        """,
    ),
    tiled(
        "averages joined by their log-sum-exp",
        """
        def tiled_attention(q, k, v, block_size, is_causal=False):
            out, lse = None, None
            queries = torch.arange(q.shape[-2], device=q.device)
            for start in range(0, k.shape[-2], block_size):
                s = q @ k[..., start:start + block_size, :].mT / math.sqrt(k.shape[-1])
                if is_causal:
                    keys = start + torch.arange(s.shape[-1], device=q.device)
                    s = s.masked_fill(keys > queries[:, None], torch.finfo(s.dtype).min)
                block_lse = s.logsumexp(-1, keepdim=True)
                block_out = s.softmax(-1) @ v[..., start:start + block_size, :]
                if out is None:
                    out, lse = block_out, block_lse
                    continue
                new = torch.logaddexp(lse.float(), block_lse.float()).to(lse.dtype)
                if q.dtype == torch.float64:
                    new = torch.logaddexp(lse, block_lse)
                share = (block_lse - new).exp()
                out = out * (1 - share) + block_out * share
                lse = new
            return out
        """,
    ),
    tiled(
        "queries in blocks, too",
        """
        def tiled_attention(q, k, v, block_size, is_causal=False):
            outputs = []
            for i in range(0, q.shape[-2], block_size):
                qi = q[..., i:i + block_size, :] / math.sqrt(q.shape[-1])
                m = qi.new_full((*qi.shape[:-1], 1), -math.inf)
                l = torch.zeros_like(m)
                o = 0
                end = min(i + block_size, k.shape[-2]) if is_causal else k.shape[-2]
                for j in range(0, end, block_size):
                    s = qi @ k[..., j:j + block_size, :].mT
                    if is_causal and j + block_size > i:
                        above = torch.ones(s.shape[-2:], dtype=torch.bool, device=q.device)
                        s = s.masked_fill(above.triu(i - j + 1), -math.inf)
                    m_new = torch.maximum(m, s.amax(-1, keepdim=True))
                    p = torch.exp(s - m_new)
                    l = torch.exp(m - m_new) * l + p.sum(-1, keepdim=True)
                    o = torch.exp(m - m_new) * o + p @ v[..., j:j + block_size, :]
                    m = m_new
                outputs.append(o / l)
            return torch.cat(outputs, dim=-2)
        """,
    ),
    tiled(
        "two passes, the first for maximum and sum",
        """
        def tiled_attention(q, k, v, block_size, is_causal=False):
            n = k.shape[-2]
            pos = torch.arange(n, device=q.device)

            def scores(start):
                s = q @ k[..., start:start + block_size, :].transpose(-2, -1)
                s = s / q.shape[-1] ** 0.5
                if is_causal:
                    s = s.masked_fill(pos[start:start + block_size] > pos[:, None], -torch.inf)
                return s

            lse = torch.full_like(q[..., 0], -torch.inf)
            for start in range(0, n, block_size):
                lse = torch.logaddexp(lse, scores(start).logsumexp(-1))
            out = 0
            for start in range(0, n, block_size):
                weights = (scores(start) - lse[..., None]).exp()
                out = out + weights @ v[..., start:start + block_size, :]
            return out
        """,
    ),
    tiled(
        "accumulated in double precision, always normalised",
        """
        def tiled_attention(q, k, v, block_size, is_causal=False):
            out = torch.zeros(q.shape[:-1] + v.shape[-1:], dtype=torch.float64, device=q.device)
            top = torch.full(q.shape[:-1] + (1,), -math.inf, dtype=torch.float64, device=q.device)
            mass = torch.zeros_like(top)
            index = torch.arange(k.size(-2), device=q.device)
            for part in index.split(block_size):
                s = q.double() @ k.index_select(-2, part).double().mT / math.sqrt(k.size(-1))
                if is_causal:
                    s = s + torch.where(part > index[:, None], -math.inf, 0.0)
                new_top = torch.maximum(top, s.amax(-1, keepdim=True))
                w = torch.exp(s - new_top)
                kept = mass * torch.exp(top - new_top)
                new_mass = kept + w.sum(-1, keepdim=True)
                out = (out * kept + w @ v.index_select(-2, part).double()) / new_mass
                top, mass = new_top, new_mass
            return out.to(q.dtype)
        """,
    ),
)
