"""Right answers to project_qkv."""

from functools import partial

from autograder.bank import Variant

variant = partial(Variant, "project_qkv")

VARIANTS = (
    variant(
        "one line each",
        """
        def project_qkv(x, w_q, w_k, w_v):
            q = torch.matmul(x, w_q)
            k = torch.matmul(x, w_k)
            v = torch.matmul(x, w_v)
            return q, k, v
        """,
    ),
    variant(
        "a tuple from a generator",
        """
        def project_qkv(x, w_q, w_k, w_v):
            return tuple(x @ w for w in (w_q, w_k, w_v))
        """,
    ),
    variant(
        "a list",
        """
        def project_qkv(x, w_q, w_k, w_v):
            return [x.matmul(w) for w in [w_q, w_k, w_v]]
        """,
    ),
    variant(
        "einsum",
        """
        def project_qkv(x, w_q, w_k, w_v):
            def project(w):
                return torch.einsum("...sd,de->...se", x, w)
            return project(w_q), project(w_k), project(w_v)
        """,
    ),
    variant(
        "F.linear with the weight turned round",
        """
        def project_qkv(x, w_q, w_k, w_v):
            linear = torch.nn.functional.linear
            return linear(x, w_q.T), linear(x, w_k.T), linear(x, w_v.T)
        """,
    ),
    variant(
        "one product, then split",
        """
        def project_qkv(x, w_q, w_k, w_v):
            widths = [w.shape[1] for w in (w_q, w_k, w_v)]
            together = x @ torch.cat([w_q, w_k, w_v], dim=1)
            return together.split(widths, dim=-1)
        """,
    ),
    variant(
        "columns, transposed back",
        """
        def project_qkv(x, w_q, w_k, w_v):
            columns = x.mT
            return (w_q.mT @ columns).mT, (w_k.mT @ columns).mT, (w_v.mT @ columns).mT
        """,
    ),
    variant(
        "a named tuple, other names and more arguments",
        """
        from collections import namedtuple

        Projected = namedtuple("Projected", "queries keys values")

        def project_qkv(tokens, wq, wk, wv, biases=(0.0, 0.0, 0.0)):
            return Projected(*(tokens @ w + b for w, b in zip((wq, wk, wv), biases)))
        """,
    ),
)
