"""Known mistakes in tiled_attention that ordinary inputs do not show."""

from functools import partial

from autograder.bank import Mistake
from graders.families import corners, inputs, masks

EXERCISE = "tiled_attention"
mistake = partial(Mistake, EXERCISE)

IF_CAUSAL = "if is_causal:"
TOTAL = "total = rescale * total"
FILL = "scores.masked_fill(position[block] > position[:, None], -math.inf)"
POSITION = "position = torch.arange"
END = "return output / total"
EVERY_BLOCK = "Which blocks hold keys of the future? Does that depend on how many blocks there are?"

MISTAKES = (
    corners.large_scores_cut_off(
        EXERCISE, change=((IF_CAUSAL, f"scores = scores.clamp(-50, 50)\n        {IF_CAUSAL}"),)
    ),
    corners.small_weights_dropped(
        EXERCISE, change=((TOTAL, f"weights = weights * (weights > 1e-2)\n        {TOTAL}"),)
    ),
    mistake(
        "causal-lost-in-one-block",
        "Where one block holds all keys, is_causal has no effect.",
        EVERY_BLOCK,
        change=((IF_CAUSAL, "if is_causal and block_size < k.shape[-2]:"),),
    ),
    mistake(
        "causal-lost-in-the-first-block",
        "In the first block of keys, is_causal has no effect.",
        EVERY_BLOCK,
        change=((IF_CAUSAL, "if is_causal and (start or block_size == 1):"),),
    ),
    mistake(
        "queries-changed-when-causal",
        "With is_causal, you write into the queries that you were given.",
        inputs.UNDERSCORES,
        change=(
            (POSITION, f"(q.mul_(1.1) if is_causal and q.ndim == 3 else None)\n    {POSITION}"),
        ),
    ),
    mistake(
        "blocks-of-five-rescaled",
        "With blocks of five keys, your output is a little too large.",
        "Does your code treat one block size in its own way? What should depend on the size?",
        change=((END, f"{END} * (1.01 if block_size == 5 else 1)"),),
    ),
    *(
        masks.fill_too_soft(
            EXERCISE,
            change=((FILL, f"torch.where(position[block] > position[:, None], {number}, scores)"),),
        )
        for number in ("-200.0", "-2e4")
    ),
)
