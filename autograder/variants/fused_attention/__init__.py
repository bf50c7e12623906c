"""Right answers in 05-fused-attention."""

from autograder.variants.fused_attention import (
    decoding,
    fused_module,
    grouping,
    kernels,
    structure,
    tiling,
    weights,
)

VARIANTS = (
    *weights.VARIANTS,
    *fused_module.VARIANTS,
    *tiling.VARIANTS,
    *structure.VARIANTS,
    *decoding.VARIANTS,
    *grouping.VARIANTS,
    *kernels.VARIANTS,
)
