"""Right answers to dot_product_scores."""

from functools import partial

from autograder.bank import Variant

variant = partial(Variant, "dot_product_scores")

VARIANTS = (
    variant(
        "transpose of the last two axes",
        """
        def dot_product_scores(q, k):
            return torch.matmul(q, k.transpose(-2, -1))
        """,
    ),
    variant(
        "einsum",
        """
        def dot_product_scores(q, k):
            return torch.einsum("...qd,...kd->...qk", q, k)
        """,
    ),
    variant(
        "broadcast product and sum",
        """
        def dot_product_scores(q, k):
            return (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(dim=-1)
        """,
    ),
    variant(
        "a loop over keys",
        """
        def dot_product_scores(q, k):
            columns = [(q * k[..., j : j + 1, :]).sum(dim=-1) for j in range(k.shape[-2])]
            return torch.stack(columns, dim=-1)
        """,
    ),
    variant(
        "a loop over queries and keys",
        """
        def dot_product_scores(q, k):
            scores = q.new_zeros(*q.shape[:-1], k.shape[-2])
            for i in range(q.shape[-2]):
                for j in range(k.shape[-2]):
                    scores[..., i, j] = (q[..., i, :] * k[..., j, :]).sum(-1)
            return scores
        """,
    ),
    variant(
        "keys times queries, transposed back",
        """
        def dot_product_scores(q, k):
            return (k @ q.mT).mT
        """,
    ),
    variant(
        "a linear layer's product",
        """
        def dot_product_scores(q, k):
            if k.dim() == 2:
                return torch.nn.functional.linear(q, k)
            return q.matmul(k.swapaxes(-1, -2))
        """,
    ),
    variant(
        "float64 inside, cast back",
        """
        def dot_product_scores(q, k):
            return (q.double() @ k.double().mT).to(q.dtype)
        """,
    ),
    variant(
        "a check of its input, and of its result",
        """
        def dot_product_scores(q, k):
            assert q.shape[-1] == k.shape[-1], (q.shape, k.shape)
            scores = q @ k.mT
            assert not scores.isnan().any()
            return scores
        """,
    ),
    variant(
        "a helper, other names and more arguments",
        """
        def _turned(matrix, first=-2, second=-1):
            return torch.transpose(matrix, first, second)

        def dot_product_scores(queries, keys, *more, bias=None, **options):
            scores = queries @ _turned(keys)
            return scores if bias is None else scores + bias
        """,
    ),
)
