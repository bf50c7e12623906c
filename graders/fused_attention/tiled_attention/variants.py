"""Right answers to tiled_attention."""

from graders.fused_attention.tiled_attention import variants_structure, variants_tiling

VARIANTS = (
    *variants_tiling.VARIANTS,
    *variants_structure.VARIANTS,
)
