"""Known mistakes in the exercises of `attention`."""

from graders.causal_masking.attention import (
    mistakes_additive_mask,
    mistakes_causal_attention,
    mistakes_in_corners,
    mistakes_masked_softmax,
)

MISTAKES = (
    *mistakes_additive_mask.MISTAKES,
    *mistakes_causal_attention.MISTAKES,
    *mistakes_masked_softmax.MISTAKES,
    *mistakes_in_corners.MISTAKES,
)
