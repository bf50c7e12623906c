"""Known mistakes in scaled_dot_product_attention that ordinary inputs do not show."""

from autograder.bank import Mistake
from graders.families import corners, masks
from graders.self_attention.scaled_dot_product_attention.formula_parts import (
    MASKED,
    SCORES,
    masked,
    returns,
)

EXERCISE = "scaled_dot_product_attention"

MISTAKES = (
    corners.small_weights_dropped(
        EXERCISE, change=returns("torch.where(weights < 1e-4, 0.0, weights) @ v, weights")
    ),
    masks.fill_too_soft(
        EXERCISE,
        what="forbidden keys",
        change=masked("scores = scores.masked_fill(~mask, -1000.0)"),
    ),
    corners.order_of_memory_assumed(
        EXERCISE,
        given="queries and keys",
        change=(
            (
                SCORES,
                "(\n        q.view(-1, *q.shape[-2:]) @ k.view(-1, *k.shape[-2:]).mT\n"
                "    ).view(*q.shape[:-1], k.shape[-2]) / math.sqrt(k.shape[-1])",
            ),
        ),
    ),
    masks.fill_too_soft(
        EXERCISE,
        what="forbidden keys",
        change=masked("scores = scores + (1 - mask.to(scores.dtype)) * -1e4"),
    ),
    Mistake(
        EXERCISE,
        "mask-of-the-first-text",
        "Of a mask with more than three axes, you use the part of the first text for all.",
        "A mask may hold something else for each text. Which of your operations leaves that out?",
        change=masked(
            "mask = mask.reshape(-1, *mask.shape[-2:])[0] if mask.ndim > 3 else mask", MASKED
        ),
    ),
)
