"""Known mistakes in 05-fused-attention."""

from autograder.misconceptions.fused_attention import (
    decoding,
    grouping,
    heads,
    masks,
    modes,
    tiling,
    weights,
)

MISTAKES = (
    *weights.MISTAKES,
    *masks.MISTAKES,
    *heads.MISTAKES,
    *modes.MISTAKES,
    *tiling.MISTAKES,
    *decoding.MISTAKES,
    *grouping.MISTAKES,
)
