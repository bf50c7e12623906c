"""Right answers to scaled_dot_product_attention."""

from functools import partial

from autograder.bank import Variant

variant = partial(Variant, "scaled_dot_product_attention")

VARIANTS = (
    variant(
        "transpose, F.softmax and the lowest number",
        """
        import torch.nn.functional as F

        def scaled_dot_product_attention(q, k, v, mask=None):
            d_k = q.size(-1)
            scores = torch.matmul(q, k.transpose(-2, -1)) / d_k**0.5
            if mask is not None:
                scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
            weights = F.softmax(scores, dim=-1)
            return torch.matmul(weights, v), weights
        """,
    ),
    variant(
        "einsum and torch.where",
        """
        def scaled_dot_product_attention(q, k, v, mask=None):
            scores = torch.einsum("...qd,...kd->...qk", q, k) * k.shape[-1] ** -0.5
            if mask is not None:
                scores = torch.where(mask, scores, float("-inf"))
            weights = scores.softmax(-1)
            return torch.einsum("...qk,...kd->...qd", weights, v), weights
        """,
    ),
    variant(
        "an additive mask",
        """
        def scaled_dot_product_attention(q, k, v, mask=None):
            scores = (q / math.sqrt(q.shape[-1])) @ k.mT
            if mask is not None:
                bias = torch.zeros_like(mask, dtype=scores.dtype)
                scores = scores + bias.masked_fill(mask.logical_not(), -torch.inf)
            weights = torch.softmax(scores, -1)
            return weights @ v, weights
        """,
    ),
    variant(
        "softmax by hand",
        """
        def scaled_dot_product_attention(q, k, v, mask=None):
            scores = q @ k.mT / math.sqrt(q.shape[-1])
            if mask is not None:
                scores = scores.masked_fill(~mask, -math.inf)
            e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
            weights = e / e.sum(dim=-1, keepdim=True)
            return weights @ v, weights
        """,
    ),
    variant(
        "masked after the softmax, and shared out anew",
        """
        def scaled_dot_product_attention(q, k, v, mask=None):
            scores = q @ k.mT / math.sqrt(q.shape[-1])
            if mask is None:
                mask = torch.ones_like(scores, dtype=torch.bool)
            top = scores.masked_fill(~mask, -math.inf).amax(-1, keepdim=True)
            e = torch.exp((scores - top).clamp(max=0)) * mask
            weights = e / e.sum(-1, keepdim=True)
            return weights @ v, weights
        """,
    ),
    variant(
        "PyTorch's attention for the output, and a list",
        """
        def scaled_dot_product_attention(q, k, v, mask=None):
            output = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
            scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
            if mask is not None:
                scores.masked_fill_(~mask, -math.inf)
            return [output, torch.softmax(scores, dim=-1)]
        """,
    ),
    variant(
        "float32 inside, cast back",
        """
        def scaled_dot_product_attention(q, k, v, mask=None):
            scores = q.float() @ k.float().mT / math.sqrt(q.shape[-1])
            if mask is not None:
                scores = scores.masked_fill(~mask, -1e9)
            weights = torch.softmax(scores, dim=-1).to(v.dtype)
            return weights @ v, weights
        """,
    ),
    variant(
        "a loop over queries",
        """
        def scaled_dot_product_attention(q, k, v, mask=None):
            scale = math.sqrt(q.shape[-1])
            if mask is not None:
                mask = mask.expand(*q.shape[:-1], k.shape[-2])
            rows = []
            for i in range(q.shape[-2]):
                scores = (q[..., i : i + 1, :] * k).sum(-1) / scale
                if mask is not None:
                    scores = scores.masked_fill(~mask[..., i, :], -math.inf)
                rows.append(torch.softmax(scores, dim=-1))
            weights = torch.stack(rows, dim=-2)
            return weights @ v, weights
        """,
    ),
    variant(
        "a mask made where there is none, and a dropout that does nothing",
        """
        def scaled_dot_product_attention(q, k, v, mask=None, dropout=0.0):
            scores = q @ k.mT * (1 / math.sqrt(q.shape[-1]))
            if mask is None:
                mask = scores.new_ones(scores.shape[-2:]).bool()
            scores = scores.masked_fill(~mask, float("-inf"))
            weights = torch.dropout(scores.softmax(dim=-1), dropout, train=True)
            return weights @ v, weights
        """,
    ),
    variant(
        "a check of its own shapes and result",
        """
        def scaled_dot_product_attention(q, k, v, mask=None):
            assert q.shape[-1] == k.shape[-1] and k.shape[-2] == v.shape[-2]
            scores = q @ k.mT / k.shape[-1] ** 0.5
            if mask is not None:
                scores = scores.masked_fill(~mask.to(scores.device), -torch.inf)
            weights = torch.softmax(scores, dim=-1)
            assert not torch.isnan(weights).any()
            return weights @ v, weights
        """,
    ),
    variant(
        "more arguments, and weights to look at alone",
        """
        def _scores(q, k, scale):
            return q @ k.mT * (scale or q.shape[-1] ** -0.5)

        def scaled_dot_product_attention(Q, K, V, mask=None, scale=None, *, temperature=1.0):
            scores = _scores(Q, K, scale) / temperature
            if mask is not None:
                scores = scores.masked_fill(~mask, -math.inf)
            weights = scores.softmax(dim=-1)
            return [weights @ V, weights.detach()]
        """,
    ),
)
