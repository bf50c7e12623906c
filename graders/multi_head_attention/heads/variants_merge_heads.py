"""Right answers to merge_heads."""

from functools import partial

from autograder.bank import Variant

merge = partial(Variant, "merge_heads")

VARIANTS = (
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
    merge(
        "a helper, other names and more arguments",
        """
        def _positions_first(heads):
            return heads.transpose(1, 2)

        def merge_heads(heads, *, d_model=None):
            batch, _, seq, _ = heads.shape
            return _positions_first(heads).reshape(batch, seq, d_model or -1)
        """,
    ),
)
