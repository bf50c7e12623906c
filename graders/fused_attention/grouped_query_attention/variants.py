"""Right answers to grouped_query_attention."""

from functools import partial

from autograder.bank import Variant

grouped = partial(Variant, "grouped_query_attention")

REFUSAL = """
    def refuse(heads, key_heads):
        if heads % key_heads != 0:
            raise ValueError(f"cannot share {key_heads} key heads among {heads}")
"""

VARIANTS = (
    grouped(
        "a view of groups",
        """
        def grouped_query_attention(q, k, v, is_causal=False):
            heads, groups = q.shape[-3], k.shape[-3]
            if heads % groups:
                raise ValueError(f"{groups} does not divide {heads}")
            q = q.unflatten(-3, (groups, heads // groups))
            scores = q @ k.unsqueeze(-3).mT / math.sqrt(q.shape[-1])
            if is_causal:
                future = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
                scores = scores.masked_fill(future, -math.inf)
            return (scores.softmax(-1) @ v.unsqueeze(-3)).flatten(-4, -3)
        """,
    ),
    grouped(
        "expand, then reshape",
        REFUSAL
        + """
    def grouped_query_attention(q, k, v, is_causal=False):
        heads, key_heads = q.size(-3), k.size(-3)
        refuse(heads, key_heads)

        def widened(t):
            t = t.unsqueeze(-3).expand(*t.shape[:-2], heads // key_heads, *t.shape[-2:])
            return t.reshape(*t.shape[:-4], heads, *t.shape[-2:])

        return F.scaled_dot_product_attention(q, widened(k), widened(v), is_causal=is_causal)
        """,
    ),
    grouped(
        "PyTorch's own option",
        REFUSAL
        + """
    def grouped_query_attention(q, k, v, is_causal=False):
        refuse(q.shape[-3], k.shape[-3])
        lead = q.shape[:-3]
        q, k, v = (t.reshape(-1, *t.shape[-3:]) for t in (q, k, v))
        out = F.scaled_dot_product_attention(q, k, v, is_causal=is_causal, enable_gqa=True)
        return out.reshape(*lead, *out.shape[-3:])
        """,
    ),
    grouped(
        "a loop over query heads",
        """
        def grouped_query_attention(q, k, v, is_causal=False):
            heads, key_heads = q.shape[-3], k.shape[-3]
            if key_heads > heads or heads % key_heads:
                raise ValueError("%d query heads, %d key heads" % (heads, key_heads))
            size = heads // key_heads
            outputs = []
            for h in range(heads):
                q_h, k_h, v_h = q[..., h, :, :], k[..., h // size, :, :], v[..., h // size, :, :]
                s = q_h @ k_h.transpose(-1, -2) * q.shape[-1] ** -0.5
                if is_causal:
                    i = torch.arange(s.shape[-1], device=q.device)
                    s = torch.where(i > i[:, None], -torch.inf, s)
                outputs.append(torch.softmax(s, dim=-1) @ v_h)
            return torch.stack(outputs, dim=-3)
        """,
    ),
    grouped(
        "indexed by head",
        """
        def grouped_query_attention(q, k, v, is_causal=False):
            heads, key_heads = q.shape[-3], k.shape[-3]
            if heads % key_heads:
                raise ValueError(f"heads={heads}, key_heads={key_heads}")
            serving = torch.arange(heads, device=q.device) // (heads // key_heads)
            k, v = k.index_select(-3, serving), v.index_select(-3, serving)
            return F.scaled_dot_product_attention(q, k, v, None, 0.0, is_causal)
        """,
    ),
)
