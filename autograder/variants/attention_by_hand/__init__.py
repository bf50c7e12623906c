"""Right answers in 01-attention-by-hand."""

from autograder.variants.attention_by_hand import (
    attention_weights,
    dot_product_scores,
    scaled_scores,
    simple_attention,
    softmax,
    weighted_values,
)

VARIANTS = (
    *softmax.VARIANTS,
    *dot_product_scores.VARIANTS,
    *scaled_scores.VARIANTS,
    *attention_weights.VARIANTS,
    *weighted_values.VARIANTS,
    *simple_attention.VARIANTS,
)
