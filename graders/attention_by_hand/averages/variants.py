"""Right answers to the exercises of `averages`."""

from graders.attention_by_hand.averages import variants_simple_attention, variants_weighted_values

VARIANTS = (
    *variants_simple_attention.VARIANTS,
    *variants_weighted_values.VARIANTS,
)
