"""Right answers in 04-multi-head-attention."""

from functools import partial

from autograder.variants.variant import Variant


def split(name: str, result: str) -> Variant:
    """A right split_heads with this result."""
    return Variant(
        "split_heads",
        name,
        f"""
        import torch

        def split_heads(x, num_heads):
            batch, seq, d_model = x.shape
            if num_heads < 1 or d_model % num_heads != 0:
                raise ValueError(f"{{d_model}} features cannot be shared by {{num_heads}} heads")
            d_head = d_model // num_heads
            return {result}
        """,
    )


merge = partial(Variant, "merge_heads")

SPLIT = (
    split("view, then transpose", "x.view(batch, seq, num_heads, d_head).transpose(1, 2)"),
    split("reshape, then permute", "x.reshape(batch, seq, num_heads, -1).permute(0, 2, 1, 3)"),
    split("unflatten", "x.unflatten(2, (num_heads, d_head)).movedim(2, 1)"),
    split(
        "packed in memory",
        "x.view(batch, seq, num_heads, d_head).transpose(1, 2).contiguous()",
    ),
    split("chunks on a new axis", "torch.stack(x.chunk(num_heads, dim=-1), dim=1)"),
    split("pieces by width", "torch.stack(x.split(d_head, dim=2), 1)"),
    split(
        "a loop over heads",
        """torch.stack(
                [x[:, :, h * d_head : (h + 1) * d_head] for h in range(num_heads)], dim=1
            )""",
    ),
    split(
        "features first",
        "x.mT.reshape(batch, num_heads, d_head, seq).mT",
    ),
    split("einsum", "torch.einsum('bshd->bhsd', x.reshape(batch, seq, num_heads, d_head))"),
    Variant(
        "split_heads",
        "an error of its own, and a check of its own result",
        """
        import torch

        class WrongHeads(ValueError):
            pass

        def split_heads(x, num_heads):
            b, s, d = x.shape
            if num_heads < 1 or d % num_heads:
                raise WrongHeads(f"{d} {num_heads}")
            out = x.reshape(b, s, num_heads, -1).transpose(1, 2)
            assert torch.equal(out.transpose(1, 2).reshape(b, s, d), x)
            return out
        """,
    ),
)

MERGE = (
    merge(
        "transpose, packed, view",
        """
        def merge_heads(x):
            batch, heads, seq, d_head = x.shape
            return x.transpose(1, 2).contiguous().view(batch, seq, heads * d_head)
        """,
    ),
    merge(
        "permute, then reshape",
        """
        def merge_heads(x):
            b, h, s, d = x.size()
            return x.permute(0, 2, 1, 3).reshape(b, s, h * d)
        """,
    ),
    merge(
        "concatenated heads",
        """
        import torch

        def merge_heads(x):
            return torch.cat(x.unbind(dim=1), dim=-1)
        """,
    ),
    merge(
        "concatenated in a loop",
        """
        import torch

        def merge_heads(x):
            merged = x[:, 0]
            for head in range(1, x.shape[1]):
                merged = torch.cat([merged, x[:, head]], dim=2)
            return merged
        """,
    ),
    merge(
        "filled block by block",
        """
        import torch

        def merge_heads(x):
            b, h, s, d = x.shape
            out = torch.empty(b, s, h * d, dtype=x.dtype, device=x.device)
            for i in range(h):
                out[..., i * d : (i + 1) * d] = x[:, i]
            return out
        """,
    ),
    merge(
        "a check of its own result",
        """
        def merge_heads(x):
            out = x.transpose(1, 2).flatten(2)
            assert float(out.detach().sum()) == float(out.detach().sum())
            return out
        """,
    ),
    merge(
        "movedim, then flatten",
        """
        def merge_heads(x):
            return x.movedim(1, 2).flatten(start_dim=2)
        """,
    ),
    merge(
        "features first",
        """
        def merge_heads(x):
            b, h, s, d = x.shape
            return x.mT.reshape(b, h * d, s).mT
        """,
    ),
    merge(
        "einsum and an extra argument",
        """
        import torch

        def merge_heads(x, packed=True):
            merged = torch.einsum("bhsd->bshd", x).reshape(x.shape[0], x.shape[2], -1)
            return merged.contiguous() if packed else merged
        """,
    ),
)

VARIANTS = (*SPLIT, *MERGE)
