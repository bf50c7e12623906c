"""Known mistakes in what runs: right outputs of FusedMultiHeadAttention."""

from functools import partial

from autograder.bank import Mistake
from graders.fused_attention.fused_module.reference_parts import BOTH, CALL

module = partial(Mistake, "FusedMultiHeadAttention")

EACH = "mask = None if mask is None else mask.expand(*q.shape[:2], x.shape[1], x.shape[1])"


def where(condition: str, attended: str) -> tuple[tuple[str, str], ...]:
    """The reference, which attends in another way under this condition.

    Args:
        condition: of `mask`, which is one for every sequence and head then, or of `dropout`.
        attended: what gives the heads' outputs.
    """
    otherwise = CALL.replace("\n", "\n    ")
    return (
        (
            CALL,
            f"""if {condition}:
            {EACH}
            attended = {attended}
        else:
            {otherwise}""",
        ),
    )


MISTAKES = (
    module(
        "three-products",
        "You cut `qkv.weight` into three and multiply with each; one product gives all three.",
        "What does `self.qkv(x)` give? Which of your products does it spare?",
        change=(
            (
                "per_head = self.qkv(x)",
                "weights = self.qkv.weight.chunk(3)\n"
                "        biases = [None] * 3 if self.qkv.bias is None else self.qkv.bias.chunk(3)\n"
                "        parts = [F.linear(x, w, b) for w, b in zip(weights, biases)]\n"
                "        per_head = torch.cat(parts, dim=-1)",
            ),
        ),
    ),
    module(
        "loop-over-batch",
        "You attend to one sequence of the batch after the other, in a Python loop.",
        "Which axes of q does PyTorch's function treat all at once, besides the heads?",
        change=(
            (
                CALL,
                f"""{EACH}
        attended = torch.cat([
            F.scaled_dot_product_attention(
                q[i : i + 1], k[i : i + 1], v[i : i + 1], dropout_p=dropout, is_causal=is_causal,
                attn_mask=None if mask is None else mask[i : i + 1],
            )
            for i in range(x.shape[0])
        ])""",
            ),
        ),
    ),
    module(
        "loop-over-queries",
        "You attend from one query after the other, in a Python loop.",
        "How many queries can PyTorch's function take at once? What does is_causal=True do there?",
        change=(
            (
                CALL,
                f"""{EACH}
        attended = torch.cat([
            F.scaled_dot_product_attention(
                q[:, :, i : i + 1], *(t[:, :, : i + 1] if is_causal else t for t in (k, v)),
                attn_mask=None if mask is None else mask[:, :, i : i + 1], dropout_p=dropout,
            )
            for i in range(x.shape[1])
        ], dim=2)""",
            ),
        ),
    ),
    module(
        "attention-by-hand",
        "You write attention out yourself; here PyTorch's fused attention should do it.",
        "Which function of torch.nn.functional does all that comes between q, k, v and the heads?",
        change=(
            (
                CALL,
                f"""{EACH}
        blocks = []
        position = torch.arange(x.shape[1], device=x.device)
        for start in range(0, x.shape[1], 64):
            rows = slice(start, start + 64)
            scores = q[:, :, rows] @ k.mT / q.shape[-1] ** 0.5
            if mask is not None:
                scores = scores.masked_fill(~mask[:, :, rows], -torch.inf)
            if is_causal:
                scores = scores.masked_fill(position > position[rows, None], -torch.inf)
            blocks.append(F.dropout(scores.softmax(-1), dropout) @ v)
        attended = torch.cat(blocks, dim=2)""",
            ),
        ),
    ),
    module(
        "loop-over-batch-with-a-mask",
        "Given a mask, you attend to one sequence of the batch after the other, in a Python loop.",
        "Does PyTorch's function take a mask that differs from one sequence to the next?",
        change=where(
            "mask is not None",
            """torch.cat([
                F.scaled_dot_product_attention(
                    q[i : i + 1], k[i : i + 1], v[i : i + 1], mask[i : i + 1], dropout
                )
                for i in range(x.shape[0])
            ])""",
        ),
    ),
    module(
        "loop-over-queries-with-a-mask",
        "Given a mask, you attend from one query after the other, in a Python loop.",
        "How many rows may the mask have that PyTorch's function takes?",
        change=where(
            "mask is not None",
            """torch.cat([
                F.scaled_dot_product_attention(
                    q[:, :, i : i + 1], k, v, mask[:, :, i : i + 1], dropout
                )
                for i in range(x.shape[1])
            ], dim=2)""",
        ),
    ),
    module(
        "attention-by-hand-with-a-mask",
        "Given a mask, you write attention out yourself, and use PyTorch's only without one.",
        "Which argument of PyTorch's function says who may attend to whom?",
        change=where(
            "mask is not None",
            "F.dropout((q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf).softmax(-1), "
            "dropout) @ v",
        ),
    ),
    module(
        "attention-by-hand-in-training",
        "In training with dropout, you write attention out yourself; PyTorch's function can drop.",
        "Which argument of PyTorch's function has to do with dropout?",
        change=(
            (BOTH, f"past = is_causal and mask is None\n        {BOTH}"),
            *where(
                "dropout",
                """q @ k.mT / q.shape[-1] ** 0.5
            if past:
                mask = torch.ones(*attended.shape[2:], dtype=torch.bool, device=x.device).tril()
            if mask is not None:
                attended = attended.masked_fill(~mask, -torch.inf)
            attended = F.dropout(attended.softmax(-1), dropout) @ v""",
            ),
        ),
    ),
)
