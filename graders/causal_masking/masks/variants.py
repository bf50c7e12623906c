"""Right answers to the exercises of `masks`."""

from graders.causal_masking.masks import variants_causal_mask, variants_masks

VARIANTS = (
    *variants_causal_mask.VARIANTS,
    *variants_masks.VARIANTS,
)
