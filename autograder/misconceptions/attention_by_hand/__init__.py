"""Known mistakes in 01-attention-by-hand."""

from autograder.misconceptions.attention_by_hand import (
    attention_weights,
    dot_product_scores,
    scaled_scores,
    simple_attention,
    softmax,
    weighted_values,
)

MISTAKES = (
    *softmax.MISTAKES,
    *dot_product_scores.MISTAKES,
    *scaled_scores.MISTAKES,
    *attention_weights.MISTAKES,
    *weighted_values.MISTAKES,
    *simple_attention.MISTAKES,
)
