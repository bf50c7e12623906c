"""Known mistakes in triton_attention that ordinary inputs do not show."""

from functools import partial

from autograder.bank import Mistake
from graders.families import corners, inputs, masks, precision

EXERCISE = "triton_attention"
mistake = partial(Mistake, EXERCISE)

FILLED = 'scores = tl.where(allowed, scores, -float("inf"))'
DIVIDED = "output = output / total[:, None]"
TOTAL = "total = rescale * total"
PAST = "(columns[None, :] <= rows[:, None])"
MADE = "output = q.new_empty("
WHICH_MAY_SEE = "Which keys may a query see? Does that depend on where its program stands?"

MISTAKES = (
    corners.large_scores_cut_off(
        EXERCISE,
        hint="How large may a score be? What does a minimum of 50 make of one of 10,000?",
        change=((FILLED, f"{FILLED}\n        scores = tl.minimum(scores, 50.0)"),),
    ),
    masks.fill_too_soft(EXERCISE, change=((FILLED, FILLED.replace('-float("inf")', "-1e4")),)),
    corners.small_weights_dropped(
        EXERCISE,
        change=((TOTAL, f"weights = tl.where(weights > 1e-2, weights, 0.0)\n        {TOTAL}"),),
    ),
    precision.output_cut_off(
        EXERCISE,
        hint="How large may an output be whose values are large?",
        change=(
            (DIVIDED, "output = tl.minimum(tl.maximum(output / total[:, None], -50.0), 50.0)"),
        ),
    ),
    mistake(
        "causal-lost-in-the-second-block",
        "In the second block of keys, is_causal has no effect.",
        WHICH_MAY_SEE,
        change=((PAST, f"({PAST} | (start == 32))"),),
    ),
    mistake(
        "causal-lost-for-the-first-queries",
        "For the first two queries, is_causal has no effect.",
        WHICH_MAY_SEE,
        change=((PAST, f"({PAST} | (rows[:, None] < 2))"),),
    ),
    mistake(
        "queries-changed-in-half-precision",
        "In half precision, you write into the queries that you were given.",
        inputs.UNDERSCORES,
        change=((MADE, f"(q.mul_(1.5) if q.element_size() == 2 else None)\n    {MADE}"),),
    ),
    corners.axes_of_one_lost(
        EXERCISE,
        single="a batch of one text",
        change=((MADE, f"q = q.squeeze(0) if q.ndim == 4 else q\n    {MADE}"),),
    ),
    mistake(
        "long-rows-by-pytorch",
        "Where a row is long, PyTorch computes it, and not your kernel.",
        "Is your kernel there for short rows only? What is it that PyTorch makes of a long one?",
        change=(
            (
                MADE,
                "if keys > 128:\n"
                "        weights = (q.float() @ k.float().mT / math.sqrt(d_k)).softmax(-1)\n"
                f"        return (weights @ v.float()).to(q.dtype)\n    {MADE}",
            ),
        ),
    ),
)
