"""Right answers to attention_weights."""

from functools import partial

from autograder.bank import Variant

variant = partial(Variant, "attention_weights")

VARIANTS = (
    variant(
        "softmax as a method",
        """
        def attention_weights(scores):
            return scores.softmax(-1)
        """,
    ),
    variant(
        "functional softmax",
        """
        import torch.nn.functional as F

        def attention_weights(scores):
            return F.softmax(scores, dim=scores.dim() - 1)
        """,
    ),
    variant(
        "by hand",
        """
        def attention_weights(scores):
            e = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
            return e / e.sum(dim=-1, keepdim=True)
        """,
    ),
    variant(
        "by log-sum-exp",
        """
        def attention_weights(scores):
            return torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
        """,
    ),
    variant(
        "log-softmax, then exp",
        """
        def attention_weights(scores):
            return torch.log_softmax(scores, -1).exp()
        """,
    ),
    variant(
        "float32 inside, cast back",
        """
        def attention_weights(scores):
            return torch.softmax(scores, dim=-1, dtype=torch.float32).to(scores.dtype)
        """,
    ),
    variant(
        "a layer",
        """
        softmax_layer = torch.nn.Softmax(dim=-1)

        def attention_weights(scores):
            return softmax_layer(scores)
        """,
    ),
    variant(
        "a loop over queries",
        """
        def attention_weights(scores):
            rows = [torch.softmax(scores[..., i, :], dim=-1) for i in range(scores.shape[-2])]
            return torch.stack(rows, dim=-2)
        """,
    ),
    variant(
        "transposed, over queries, transposed back",
        """
        def attention_weights(scores):
            return torch.softmax(scores.transpose(-1, -2), dim=-2).transpose(-1, -2)
        """,
    ),
    variant(
        "flattened rows",
        """
        def attention_weights(scores):
            rows = scores.reshape(-1, scores.shape[-1])
            return torch.softmax(rows, dim=1).reshape(scores.shape)
        """,
    ),
    variant(
        "a running total in a loop",
        """
        def attention_weights(scores):
            e = (scores - scores.amax(-1, keepdim=True)).exp()
            total = torch.zeros_like(e[..., :1])
            for j in range(e.shape[-1]):
                total = total + e[..., j : j + 1]
            return e * total.reciprocal()
        """,
    ),
    variant(
        "a gradient of its own",
        """
        class RowSoftmax(torch.autograd.Function):
            @staticmethod
            def forward(ctx, scores):
                e = torch.exp(scores - scores.amax(-1, keepdim=True))
                weights = e / e.sum(-1, keepdim=True)
                ctx.save_for_backward(weights)
                return weights

            @staticmethod
            def backward(ctx, upstream):
                (weights,) = ctx.saved_tensors
                inner = (upstream * weights).sum(-1, keepdim=True)
                return weights * (upstream - inner)

        def attention_weights(scores):
            return RowSoftmax.apply(scores)
        """,
    ),
    variant(
        "a check of its own result",
        """
        def attention_weights(scores):
            w = torch.softmax(scores, -1)
            assert not torch.isnan(w).any(), "nan!"
            return w
        """,
    ),
    variant(
        "a copy worked on in place",
        """
        def attention_weights(scores):
            e = scores - scores.amax(-1, keepdim=True).detach()
            e = e.exp()
            return e.div(e.sum(-1, keepdim=True) + 1e-9)
        """,
    ),
    variant(
        "other names and more arguments",
        """
        def attention_weights(s, dim=-1, temperature=1.0, *, dropout=None):
            weights = torch.softmax(s / temperature, dim)
            return weights if dropout is None else dropout(weights)
        """,
    ),
)
