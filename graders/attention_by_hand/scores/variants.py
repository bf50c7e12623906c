"""Right answers to the exercises of `scores`."""

from graders.attention_by_hand.scores import variants_dot_product_scores, variants_scaled_scores

VARIANTS = (
    *variants_dot_product_scores.VARIANTS,
    *variants_scaled_scores.VARIANTS,
)
