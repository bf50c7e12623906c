"""Right answers to scaled_scores."""

from functools import partial

from autograder.bank import Variant

variant = partial(Variant, "scaled_scores")

VARIANTS = (
    variant(
        "einsum",
        """
        def scaled_scores(q, k):
            return torch.einsum("...qd,...kd->...qk", q, k) / q.size(-1) ** 0.5
        """,
    ),
    variant(
        "transpose of the last two axes",
        """
        def scaled_scores(q, k):
            d_k = q.shape[-1]
            return torch.matmul(q, k.transpose(-2, -1)) / np.sqrt(d_k)
        """,
    ),
    variant(
        "queries scaled first",
        """
        def scaled_scores(q, k):
            q = q * q.shape[-1] ** -0.5
            return q @ k.swapaxes(-1, -2)
        """,
    ),
    variant(
        "both scaled by the fourth root",
        """
        def scaled_scores(q, k):
            fourth_root = q.shape[-1] ** 0.25
            return (q / fourth_root) @ (k / fourth_root).mT
        """,
    ),
    variant(
        "a scale that is a tensor",
        """
        def scaled_scores(q, k):
            scale = torch.sqrt(torch.tensor(k.shape[-1], dtype=q.dtype, device=q.device))
            return q @ k.mT / scale
        """,
    ),
    variant(
        "a loop over keys",
        """
        def scaled_scores(q, k):
            columns = []
            for j in range(k.shape[-2]):
                columns.append((q * k[..., j : j + 1, :]).sum(dim=-1))
            return torch.stack(columns, dim=-1) / math.sqrt(q.shape[-1])
        """,
    ),
    variant(
        "broadcast product and sum",
        """
        def scaled_scores(q, k):
            products = q.unsqueeze(-2) * k.unsqueeze(-3)
            return products.sum(-1).div(math.sqrt(q.shape[-1]))
        """,
    ),
    variant(
        "baddbmm on a flattened batch",
        """
        def scaled_scores(q, k):
            lead, d_k = q.shape[:-2], q.shape[-1]
            flat_q, flat_k = (t.reshape(-1, *t.shape[-2:]) for t in (q, k))
            empty = q.new_zeros(flat_q.shape[0], q.shape[-2], k.shape[-2])
            s = torch.baddbmm(empty, flat_q, flat_k.transpose(1, 2), beta=0, alpha=d_k**-0.5)
            return s.reshape(*lead, *s.shape[-2:])
        """,
    ),
    variant(
        "scaled where they lie",
        """
        def scaled_scores(q, k):
            scores = torch.matmul(q, torch.transpose(k, -1, -2))
            scores /= math.sqrt(k.size(-1))
            return scores
        """,
    ),
    variant(
        "a look at its own result",
        """
        def scaled_scores(q, k):
            s = q @ k.mT / math.sqrt(q.shape[-1])
            if not torch.isfinite(s).all():
                print("careful")
            return s
        """,
    ),
    variant(
        "float32 inside, cast back",
        """
        def scaled_scores(q, k, scale=None):
            scale = scale or 1 / math.sqrt(k.shape[-1])
            return ((q.float() @ k.float().mT) * scale).to(q.dtype)
        """,
    ),
    variant(
        "on dot_product_scores",
        """
        def scaled_scores(q, k):
            return dot_product_scores(q, k) / k.shape[-1] ** 0.5
        """,
    ),
    variant(
        "a class behind it, other names and more arguments",
        """
        class Scorer:
            def __init__(self, width, factor=None):
                self.factor = factor or width**-0.5

            def __call__(self, queries, keys):
                return queries @ keys.mT * self.factor

        def scaled_scores(queries, keys, factor=None, verbose=False):
            return Scorer(queries.shape[-1], factor)(queries, keys)
        """,
    ),
)
