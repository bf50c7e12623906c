"""Known mistakes in tiled_attention."""

from graders.fused_attention.tiled_attention import (
    mistakes_in_corners,
    mistakes_structure,
    mistakes_tiling,
)

MISTAKES = (
    *mistakes_tiling.MISTAKES,
    *mistakes_structure.MISTAKES,
    *mistakes_in_corners.MISTAKES,
)
