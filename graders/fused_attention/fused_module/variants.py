"""Right answers to the exercises of `fused_module`."""

from graders.fused_attention.fused_module import variants_module, variants_structure

VARIANTS = (
    *variants_module.VARIANTS,
    *variants_structure.VARIANTS,
)
