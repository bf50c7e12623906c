"""Right answers in 03-causal-masking."""

from autograder.variants.causal_masking import attention, causal_mask, masks

VARIANTS = (*causal_mask.VARIANTS, *masks.VARIANTS, *attention.VARIANTS)
