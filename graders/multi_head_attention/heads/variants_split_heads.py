"""Right answers to split_heads."""

from autograder.bank import Variant


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


VARIANTS = (
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
    Variant(
        "split_heads",
        "a helper, other names and more arguments",
        """
        def _width(d_model, heads):
            if heads < 1 or d_model % heads:
                raise ValueError(f"{heads} heads for {d_model} features")
            return d_model // heads

        def split_heads(tokens, heads, *, packed=False):
            width = _width(tokens.shape[-1], heads)
            out = tokens.unflatten(-1, (heads, width)).transpose(1, 2)
            return out.contiguous() if packed else out
        """,
    ),
)
