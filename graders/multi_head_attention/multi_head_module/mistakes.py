"""Known mistakes in the exercises of `multi_head_module`."""

from graders.multi_head_attention.multi_head_module import (
    mistakes_heads,
    mistakes_in_corners,
    mistakes_masks,
    mistakes_modes,
)

MISTAKES = (
    *mistakes_heads.MISTAKES,
    *mistakes_masks.MISTAKES,
    *mistakes_modes.MISTAKES,
    *mistakes_in_corners.MISTAKES,
)
