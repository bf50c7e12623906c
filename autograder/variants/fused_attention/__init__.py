"""Right answers in 05-fused-attention."""

from autograder.variants.fused_attention import (
    decoding,
    fused_module,
    grouping,
    tiling,
    weights,
)

VARIANTS = (
    *weights.VARIANTS,
    *fused_module.VARIANTS,
    *tiling.VARIANTS,
    *decoding.VARIANTS,
    *grouping.VARIANTS,
)
