"""Right answers in 04-multi-head-attention."""

from autograder.variants.multi_head_attention import heads, merging, splitting, turned_masks

VARIANTS = (*splitting.VARIANTS, *merging.VARIANTS, *heads.VARIANTS, *turned_masks.VARIANTS)
