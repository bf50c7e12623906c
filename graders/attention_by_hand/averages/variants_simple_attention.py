"""Right answers to simple_attention."""

from functools import partial

from autograder.bank import Variant

variant = partial(Variant, "simple_attention")

VARIANTS = (
    variant(
        "written out",
        """
        def simple_attention(x):
            weights = torch.softmax(x @ x.mT, dim=-1)
            return weights @ x, weights
        """,
    ),
    variant(
        "one name for each part",
        """
        def simple_attention(x):
            q = k = v = x
            scores = dot_product_scores(q, k)
            weights = attention_weights(scores)
            output = weighted_values(weights, v)
            return output, weights
        """,
    ),
    variant(
        "softmax by hand",
        """
        def simple_attention(x):
            scores = torch.matmul(x, x.transpose(-2, -1))
            e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
            weights = e / e.sum(dim=-1, keepdim=True)
            return torch.matmul(weights, x), weights
        """,
    ),
    variant(
        "einsum",
        """
        def simple_attention(x):
            weights = torch.einsum("...id,...jd->...ij", x, x).softmax(-1)
            return torch.einsum("...ij,...jd->...id", weights, x), weights
        """,
    ),
    variant(
        "scaled scores, the scale taken back",
        """
        def simple_attention(x):
            weights = attention_weights(scaled_scores(x, x) * math.sqrt(x.shape[-1]))
            return weighted_values(weights, x), weights
        """,
    ),
    variant(
        "PyTorch's attention for the output, and a list",
        """
        def simple_attention(x):
            output = torch.nn.functional.scaled_dot_product_attention(x, x, x, scale=1.0)
            return [output, torch.softmax(x @ x.mT, -1)]
        """,
    ),
    variant(
        "float32 inside, cast back",
        """
        def simple_attention(x):
            wide = x.float() if x.dtype != torch.float64 else x
            weights = torch.softmax(wide @ wide.mT, dim=-1)
            return (weights @ wide).to(x.dtype), weights.to(x.dtype)
        """,
    ),
    variant(
        "a loop over tokens",
        """
        def simple_attention(x):
            rows = []
            for i in range(x.shape[-2]):
                scores = (x[..., i : i + 1, :] * x).sum(-1)
                rows.append(torch.softmax(scores, dim=-1))
            weights = torch.stack(rows, dim=-2)
            return weights @ x, weights
        """,
    ),
    variant(
        "more arguments, and weights to look at alone",
        """
        def simple_attention(tokens, scale=1.0, *, softmax=torch.softmax):
            def similarity(a, b):
                return a @ b.mT

            shares = softmax(similarity(tokens, tokens) * scale, dim=-1)
            return [shares @ tokens, shares.detach()]
        """,
    ),
)
