"""Right answers in 01-attention-by-hand."""

from functools import partial

from autograder.variants.variant import Variant

softmax = partial(Variant, "softmax")
scores = partial(Variant, "scaled_scores")
weights = partial(Variant, "attention_weights")

SOFTMAX = (
    softmax(
        "by log-sum-exp",
        """
        def softmax(x, axis=-1):
            m = np.max(x, axis=axis, keepdims=True)
            lse = m + np.log(np.sum(np.exp(x - m), axis=axis, keepdims=True))
            return np.exp(x - lse)
        """,
    ),
    softmax(
        "guarded denominator",
        """
        def softmax(x, axis=-1):
            e = np.exp(x - np.max(x, axis=axis, keepdims=True))
            return e / (np.sum(e, axis=axis, keepdims=True) + 1e-9)
        """,
    ),
    softmax(
        "expand_dims in place of keepdims",
        """
        def softmax(x, axis=-1):
            e = np.exp(x - np.expand_dims(x.max(axis), axis))
            return e / np.expand_dims(e.sum(axis), axis)
        """,
    ),
    softmax(
        "a loop over vectors",
        """
        def _softmax_vector(v):
            e = np.exp(v - v.max())
            return e / e.sum()

        def softmax(x, axis=-1):
            return np.apply_along_axis(_softmax_vector, axis, x).astype(x.dtype)
        """,
    ),
    softmax(
        "float64 inside, cast back",
        """
        def softmax(x, axis=-1):
            wide = x.astype(np.float64)
            wide -= wide.max(axis=axis, keepdims=True)
            np.exp(wide, out=wide)
            wide /= wide.sum(axis=axis, keepdims=True)
            return wide.astype(x.dtype)
        """,
    ),
    softmax(
        "axis moved to the end",
        """
        def softmax(x, axis=-1):
            y = np.moveaxis(np.array(x), axis, -1)
            y = np.exp(y - y.max(-1)[..., None])
            y = y / y.sum(-1)[..., None]
            return np.moveaxis(y, -1, axis)
        """,
    ),
    softmax(
        "logaddexp",
        """
        def softmax(x, axis=-1):
            return np.exp(x - np.logaddexp.reduce(x, axis=axis, keepdims=True))
        """,
    ),
    softmax(
        "an extra argument with a default",
        """
        def softmax(x, axis=-1, temperature=1.0):
            x = np.asarray(x) / temperature
            e = np.exp(x - np.amax(x, axis=axis, keepdims=True))
            return np.divide(e, np.sum(e, axis=axis, keepdims=True))
        """,
    ),
    softmax(
        "log-softmax, then exp",
        """
        def log_softmax(x, axis):
            shifted = x - x.max(axis=axis, keepdims=True)
            return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))

        def softmax(x, axis=-1):
            return np.exp(log_softmax(x, axis))
        """,
    ),
)

SCORES = (
    scores(
        "einsum",
        """
        def scaled_scores(q, k):
            return torch.einsum("...qd,...kd->...qk", q, k) / q.size(-1) ** 0.5
        """,
    ),
    scores(
        "transpose of the last two axes",
        """
        def scaled_scores(q, k):
            d_k = q.shape[-1]
            return torch.matmul(q, k.transpose(-2, -1)) / np.sqrt(d_k)
        """,
    ),
    scores(
        "queries scaled first",
        """
        def scaled_scores(q, k):
            q = q * q.shape[-1] ** -0.5
            return q @ k.swapaxes(-1, -2)
        """,
    ),
    scores(
        "both scaled by the fourth root",
        """
        def scaled_scores(q, k):
            fourth_root = q.shape[-1] ** 0.25
            return (q / fourth_root) @ (k / fourth_root).mT
        """,
    ),
    scores(
        "a scale that is a tensor",
        """
        def scaled_scores(q, k):
            scale = torch.sqrt(torch.tensor(k.shape[-1], dtype=q.dtype, device=q.device))
            return q @ k.mT / scale
        """,
    ),
    scores(
        "a loop over keys",
        """
        def scaled_scores(q, k):
            columns = []
            for j in range(k.shape[-2]):
                columns.append((q * k[..., j : j + 1, :]).sum(dim=-1))
            return torch.stack(columns, dim=-1) / math.sqrt(q.shape[-1])
        """,
    ),
    scores(
        "broadcast product and sum",
        """
        def scaled_scores(q, k):
            products = q.unsqueeze(-2) * k.unsqueeze(-3)
            return products.sum(-1).div(math.sqrt(q.shape[-1]))
        """,
    ),
    scores(
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
    scores(
        "scaled where they lie",
        """
        def scaled_scores(q, k):
            scores = torch.matmul(q, torch.transpose(k, -1, -2))
            scores /= math.sqrt(k.size(-1))
            return scores
        """,
    ),
    scores(
        "a look at its own result",
        """
        def scaled_scores(q, k):
            s = q @ k.mT / math.sqrt(q.shape[-1])
            if not torch.isfinite(s).all():
                print("careful")
            return s
        """,
    ),
    scores(
        "float32 inside, cast back",
        """
        def scaled_scores(q, k, scale=None):
            scale = scale or 1 / math.sqrt(k.shape[-1])
            return ((q.float() @ k.float().mT) * scale).to(q.dtype)
        """,
    ),
)

WEIGHTS = (
    weights(
        "softmax as a method",
        """
        def attention_weights(scores):
            return scores.softmax(-1)
        """,
    ),
    weights(
        "functional softmax",
        """
        import torch.nn.functional as F

        def attention_weights(scores):
            return F.softmax(scores, dim=scores.dim() - 1)
        """,
    ),
    weights(
        "by hand",
        """
        def attention_weights(scores):
            e = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
            return e / e.sum(dim=-1, keepdim=True)
        """,
    ),
    weights(
        "by log-sum-exp",
        """
        def attention_weights(scores):
            return torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
        """,
    ),
    weights(
        "log-softmax, then exp",
        """
        def attention_weights(scores):
            return torch.log_softmax(scores, -1).exp()
        """,
    ),
    weights(
        "float32 inside, cast back",
        """
        def attention_weights(scores):
            return torch.softmax(scores, dim=-1, dtype=torch.float32).to(scores.dtype)
        """,
    ),
    weights(
        "a layer",
        """
        softmax_layer = torch.nn.Softmax(dim=-1)

        def attention_weights(scores):
            return softmax_layer(scores)
        """,
    ),
    weights(
        "a loop over queries",
        """
        def attention_weights(scores):
            rows = [torch.softmax(scores[..., i, :], dim=-1) for i in range(scores.shape[-2])]
            return torch.stack(rows, dim=-2)
        """,
    ),
    weights(
        "transposed, over queries, transposed back",
        """
        def attention_weights(scores):
            return torch.softmax(scores.transpose(-1, -2), dim=-2).transpose(-1, -2)
        """,
    ),
    weights(
        "flattened rows",
        """
        def attention_weights(scores):
            rows = scores.reshape(-1, scores.shape[-1])
            return torch.softmax(rows, dim=1).reshape(scores.shape)
        """,
    ),
    weights(
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
    weights(
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
    weights(
        "a check of its own result",
        """
        def attention_weights(scores):
            w = torch.softmax(scores, -1)
            assert not torch.isnan(w).any(), "nan!"
            return w
        """,
    ),
    weights(
        "a copy worked on in place",
        """
        def attention_weights(scores):
            e = scores - scores.amax(-1, keepdim=True).detach()
            e = e.exp()
            return e.div(e.sum(-1, keepdim=True) + 1e-9)
        """,
    ),
)

VARIANTS = (*SOFTMAX, *SCORES, *WEIGHTS)
