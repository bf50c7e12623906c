"""Right answers to weighted_values."""

from functools import partial

from autograder.bank import Variant

variant = partial(Variant, "weighted_values")

VARIANTS = (
    variant(
        "matmul",
        """
        def weighted_values(weights, v):
            return torch.matmul(weights, v)
        """,
    ),
    variant(
        "einsum",
        """
        def weighted_values(weights, v):
            return torch.einsum("...qk,...kd->...qd", weights, v)
        """,
    ),
    variant(
        "broadcast product and sum",
        """
        def weighted_values(weights, v):
            return (weights[..., None] * v.unsqueeze(-3)).sum(dim=-2)
        """,
    ),
    variant(
        "a running sum over keys",
        """
        def weighted_values(weights, v):
            output = torch.zeros_like(weights[..., :1] * v[..., :1, :])
            for j in range(v.shape[-2]):
                output = output + weights[..., j : j + 1] * v[..., j : j + 1, :]
            return output
        """,
    ),
    variant(
        "values transposed, product transposed back",
        """
        def weighted_values(weights, v):
            return (v.mT @ weights.mT).mT
        """,
    ),
    variant(
        "a loop over queries",
        """
        def weighted_values(weights, v):
            rows = [(weights[..., i, :, None] * v).sum(-2) for i in range(weights.shape[-2])]
            return torch.stack(rows, dim=-2)
        """,
    ),
    variant(
        "float32 inside, cast back",
        """
        def weighted_values(weights, v):
            if v.dtype in (torch.float16, torch.bfloat16):
                return (weights.float() @ v.float()).to(v.dtype)
            return weights @ v
        """,
    ),
    variant(
        "other names and more arguments",
        """
        def _average(shares, what):
            return shares @ what

        def weighted_values(attention, values, average=_average, return_attention=False):
            output = average(attention, values)
            return (output, attention) if return_attention else output
        """,
    ),
)
