"""Right answers to the exercises of `heads`."""

from graders.multi_head_attention.heads import variants_merge_heads, variants_split_heads

VARIANTS = (
    *variants_merge_heads.VARIANTS,
    *variants_split_heads.VARIANTS,
)
