"""Right answers in 02-self-attention."""

from autograder.variants.self_attention import layers, project_qkv, scaled_dot_product_attention

VARIANTS = (
    *project_qkv.VARIANTS,
    *scaled_dot_product_attention.VARIANTS,
    *layers.VARIANTS,
)
