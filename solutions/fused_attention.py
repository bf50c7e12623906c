"""Reference solutions of 05-fused-attention: attention as it is written for speed."""

import torch
import torch.nn.functional as F  # noqa: N812 - torch's own documentation calls it F
from jaxtyping import Bool, Float
from torch import Tensor, nn


class FusedMultiHeadAttention(nn.Module):
    """Multi-head self-attention with one projection product and PyTorch's fused attention.

    [q k v] = x W_qkvᵀ + b_qkv, then per head softmax(q kᵀ / sqrt(d_head)) v, then the heads side by
    side through `out`.

    `qkv` is `nn.Linear(d_model, 3 * d_model)`. Along its output stand all of q's features, then
    all of k's, then all of v's; within each, head h owns the contiguous block of d_head =
    d_model / num_heads features that starts at h · d_head. `out` is `nn.Linear(d_model, d_model)`.
    Graders load weights into `qkv` and `out`, so names and order matter.

    Args:
        d_model: width of the input and of the output.
        num_heads: how many heads share d_model.
        dropout: probability of dropping an attention weight, in training only.
        bias: whether `qkv` and `out` add a bias.
    Raises:
        ValueError: d_model is not a multiple of num_heads, or num_heads is below 1. The text
            names both numbers.
    Source: Vaswani et al. 2017, section 3.2.2; Dao et al. 2022, "FlashAttention".
    """

    def __init__(
        self, d_model: int, num_heads: int, dropout: float = 0.0, bias: bool = True
    ) -> None:
        """Make the two projections `qkv` and `out`."""
        super().__init__()
        ### BEGIN SOLUTION
        if num_heads < 1 or d_model % num_heads:
            raise ValueError(f"d_model ({d_model}) is not a multiple of num_heads ({num_heads})")
        self.num_heads = num_heads
        self.dropout = dropout
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=bias)
        self.out = nn.Linear(d_model, d_model, bias=bias)
        ### END SOLUTION

    def forward(
        self,
        x: Float[Tensor, "batch seq d_model"],
        mask: Bool[Tensor, "..."] | None = None,
        is_causal: bool = False,
    ) -> Float[Tensor, "batch seq d_model"]:
        """Attend from every position of x to every position that is allowed.

        No tensor's value is read back into Python (`.item()`, `if tensor:`, NumPy), and no Python
        loop runs over the batch or over single queries: this works under
        `torch.compile(fullgraph=True)`.

        Args:
            x: one vector a token; it is not changed.
            mask: True where attention is allowed; two to four dimensions that broadcast to (batch,
                heads, queries, keys); every query is allowed at least one key. None allows all.
            is_causal: whether position i may attend to positions 0 to i only. Together with a
                mask, both apply.
        Returns:
            one vector a token; same dtype (outside autocast) and device as x. Without a mask,
            causal or not, no tensor of seq × seq numbers is made.
        """
        ### BEGIN SOLUTION
        per_head = self.qkv(x).unflatten(-1, (3, self.num_heads, -1))  # (batch, seq, 3, heads, d)
        q, k, v = per_head.transpose(1, 3).unbind(2)  # each (batch, heads, seq, d_head)
        if mask is not None and is_causal:  # most of PyTorch's kernels refuse the two together
            seq = x.shape[1]
            mask = mask & torch.ones(seq, seq, dtype=torch.bool, device=x.device).tril()
            is_causal = False
        dropout = self.dropout if self.training else 0.0
        attended = F.scaled_dot_product_attention(
            q, k, v, attn_mask=mask, dropout_p=dropout, is_causal=is_causal
        )
        return self.out(attended.transpose(1, 2).flatten(2))  # heads side by side
        ### END SOLUTION
