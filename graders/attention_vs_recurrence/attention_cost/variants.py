"""Right ways to write attention_cost."""

from functools import partial

from autograder.bank import Variant

cost = partial(Variant, "attention_cost")

VARIANTS = (
    cost(
        "head by head",
        """
        def attention_cost(seq_len, d_model, num_heads, dtype):
            multiply_adds = 0
            for product in ("q k^T", "weights v"):
                multiply_adds += seq_len * seq_len * d_model
            numbers = num_heads * seq_len * seq_len
            return dict(flops=2 * multiply_adds, score_bytes=numbers * dtype.itemsize)
        """,
    ),
    cost(
        "bytes of an empty tensor",
        """
        import torch

        def attention_cost(seq_len, d_model, num_heads, dtype):
            size = torch.empty(0, dtype=dtype).element_size()
            return {
                "score_bytes": size * seq_len**2 * num_heads,
                "flops": 2 * 2 * seq_len**2 * d_model,
            }
        """,
    ),
    cost(
        "bits of the dtype",
        """
        import torch

        def attention_cost(seq_len: int, d_model: int, num_heads: int, dtype: torch.dtype):
            scores = num_heads * pow(seq_len, 2)
            costs = {}
            costs["flops"] = int(4 * d_model * seq_len * seq_len)
            costs["score_bytes"] = scores * (torch.finfo(dtype).bits // 8)
            return costs
        """,
    ),
    cost(
        "a sum over heads",
        """
        def attention_cost(seq_len, d_model, num_heads, dtype):
            d_head = d_model // num_heads
            flops = score_bytes = 0
            for head in range(num_heads):
                flops += 2 * seq_len * d_head * seq_len  # q k^T of this head
                flops += 2 * seq_len * seq_len * d_head  # weights v
                score_bytes += seq_len * seq_len * dtype.itemsize
            return {"flops": flops, "score_bytes": score_bytes}
        """,
    ),
    cost(
        "shapes on the meta device",
        """
        import torch

        def attention_cost(seq_len, d_model, num_heads, dtype):
            size = (num_heads, seq_len, seq_len)
            scores = torch.empty(size, dtype=dtype, device="meta")
            each = 2 * (d_model // num_heads)  # a multiply-add for every number of a head's vector
            return {
                "flops": 2 * scores.numel() * each,
                "score_bytes": scores.numel() * scores.element_size(),
            }
        """,
    ),
)
