"""Known mistakes in the exercises of `heads`."""

from graders.multi_head_attention.heads import (
    mistakes_in_corners,
    mistakes_merge_heads,
    mistakes_split_heads,
)

MISTAKES = (
    *mistakes_merge_heads.MISTAKES,
    *mistakes_split_heads.MISTAKES,
    *mistakes_in_corners.MISTAKES,
)
