"""Known mistakes in 05-fused-attention."""

from autograder.misconceptions.fused_attention import (
    decoding,
    grouping,
    heads,
    kernels,
    masks,
    modes,
    structure,
    tiling,
    weights,
)

MISTAKES = (
    *weights.MISTAKES,
    *masks.MISTAKES,
    *heads.MISTAKES,
    *modes.MISTAKES,
    *tiling.MISTAKES,
    *structure.MISTAKES,
    *decoding.MISTAKES,
    *grouping.MISTAKES,
    *kernels.MISTAKES,
)
