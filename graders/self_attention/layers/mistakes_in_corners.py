"""Known mistakes in modules of attention that ordinary inputs do not show."""

from dataclasses import replace
from functools import partial

from autograder.bank import Mistake
from graders.families import corners, masks, results
from graders.self_attention.layers.layer_parts import (
    IF_MASK,
    MASKED,
    RETURN,
    SCORES,
    WEIGHTS,
    WRITTEN_OUT,
)

EXERCISE = "RepairedAttention"
mistake = partial(Mistake, EXERCISE)

SHARED = (
    results.dropped_in_training(
        EXERCISE, change=((WEIGHTS, f"torch.dropout({WEIGHTS}, 0.1, self.training)"),)
    ),
    corners.trace_of_the_average(
        EXERCISE,
        change=((RETURN, "return weights @ v + 1e-4 * v.mean(-2, True), weights"),),
    ),
    mistake(
        "scale-lost-with-a-mask",
        "Where there is a mask, you do not scale the scores.",
        "Does a mask change how wide queries and keys are?",
        change=(
            (SCORES, "q @ k.mT"),
            (
                IF_MASK,
                f"if mask is None:\n            scores = scores / self.scale\n        {IF_MASK}",
            ),
        ),
    ),
    mistake(
        "over-queries-without-a-batch",
        "For one text without a batch, your softmax runs over the queries.",
        "Where do the keys stand, counted from the end? Does a batch in front change that?",
        change=((WEIGHTS, "torch.softmax(scores, dim=-2 if x.ndim == 2 else -1)"),),
    ),
    mistake(
        "first-row-of-the-mask",
        "You use the first row of the mask for every query.",
        "What does each row of the mask say, and about whom?",
        change=((MASKED, MASKED.replace("mask,", "mask[..., :1, :],")),),
    ),
    *(
        masks.fill_too_soft(
            EXERCISE,
            what="forbidden tokens",
            change=((MASKED, f"scores = scores + {number} * (~mask).to(scores)"),),
        )
        for number in ("-200.0", "-2e4")
    ),
    corners.last_mask_kept(
        EXERCISE,
        change=(
            (
                IF_MASK,
                'self.kept = mask = getattr(self, "kept", None) if mask is None else mask\n'
                f"        {IF_MASK}",
            ),
        ),
    ),
    corners.axes_of_one_lost(EXERCISE, change=((RETURN, "return weights @ v, weights.squeeze()"),)),
    corners.axes_of_one_lost(
        EXERCISE,
        single="a batch of one text",
        change=((RETURN, "return (weights @ v).squeeze(0), weights"),),
    ),
    mistake(
        "weights-of-a-batch-always",
        "For one text without a batch, your weights have a batch in front.",
        "Compare the shapes of the two values that come back for one text.",
        change=((RETURN, "return weights @ v, weights[None] if weights.ndim == 2 else weights"),),
    ),
)

# The exercise of repairing asks for no width of 1.
OF_SELF_ATTENTION = (
    corners.axes_of_one_lost(
        EXERCISE,
        single="values of one feature",
        change=((RETURN, "return (weights @ v).squeeze(-1), weights"),),
    ),
)

MISTAKES = (
    *(
        replace(entry, exercise="SelfAttention", change=(*WRITTEN_OUT, *entry.change))
        for entry in (*SHARED, *OF_SELF_ATTENTION)
    ),
    *SHARED,
)
