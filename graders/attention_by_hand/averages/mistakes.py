"""Known mistakes in the exercises of `averages`."""

from graders.attention_by_hand.averages import (
    mistakes_in_corners,
    mistakes_simple_attention,
    mistakes_weighted_values,
)

MISTAKES = (
    *mistakes_simple_attention.MISTAKES,
    *mistakes_weighted_values.MISTAKES,
    *mistakes_in_corners.MISTAKES,
)
