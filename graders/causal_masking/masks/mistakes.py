"""Known mistakes in the exercises of `masks`."""

from graders.causal_masking.masks import (
    mistakes_causal_mask,
    mistakes_combine_masks,
    mistakes_in_corners,
    mistakes_padding_mask,
    mistakes_shifted,
)

MISTAKES = (
    *mistakes_causal_mask.MISTAKES,
    *mistakes_combine_masks.MISTAKES,
    *mistakes_padding_mask.MISTAKES,
    *mistakes_shifted.MISTAKES,
    *mistakes_in_corners.MISTAKES,
)
