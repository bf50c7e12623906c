"""Known mistakes in 04-multi-head-attention."""

from autograder.misconceptions.multi_head_attention import (
    heads,
    masks,
    merging,
    modes,
    splitting,
    turned_masks,
)

MISTAKES = (
    *splitting.MISTAKES,
    *merging.MISTAKES,
    *heads.MISTAKES,
    *masks.MISTAKES,
    *modes.MISTAKES,
    *turned_masks.MISTAKES,
)
