"""Known mistakes in 02-self-attention."""

from autograder.misconceptions.self_attention import (
    attention_masks,
    layers,
    project_qkv,
    scaled_dot_product_attention,
)

MISTAKES = (
    *project_qkv.MISTAKES,
    *scaled_dot_product_attention.MISTAKES,
    *attention_masks.MISTAKES,
    *layers.MISTAKES,
)
