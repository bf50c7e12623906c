"""Known mistakes in the exercises of `scores`."""

from graders.attention_by_hand.scores import (
    mistakes_dot_product_scores,
    mistakes_in_corners,
    mistakes_scaled_scores,
)

MISTAKES = (
    *mistakes_dot_product_scores.MISTAKES,
    *mistakes_scaled_scores.MISTAKES,
    *mistakes_in_corners.MISTAKES,
)
