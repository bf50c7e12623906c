"""Known mistakes in the exercises of `fused_module`."""

from graders.fused_attention.fused_module import (
    mistakes_heads,
    mistakes_in_corners,
    mistakes_masks,
    mistakes_modes,
    mistakes_structure,
)

MISTAKES = (
    *mistakes_masks.MISTAKES,
    *mistakes_heads.MISTAKES,
    *mistakes_modes.MISTAKES,
    *mistakes_structure.MISTAKES,
    *mistakes_in_corners.MISTAKES,
)
