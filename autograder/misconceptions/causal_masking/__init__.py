"""Known mistakes in 03-causal-masking."""

from autograder.misconceptions.causal_masking import (
    additive_mask,
    causal_attention,
    causal_mask,
    combine_masks,
    masked_softmax,
    padding_mask,
    shifted_masks,
)

MISTAKES = (
    *causal_mask.MISTAKES,
    *padding_mask.MISTAKES,
    *combine_masks.MISTAKES,
    *additive_mask.MISTAKES,
    *masked_softmax.MISTAKES,
    *causal_attention.MISTAKES,
    *shifted_masks.MISTAKES,
)
