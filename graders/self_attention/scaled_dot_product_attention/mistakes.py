"""Known mistakes in the exercises of `scaled_dot_product_attention`."""

from graders.self_attention.scaled_dot_product_attention import (
    mistakes_formula,
    mistakes_in_corners,
    mistakes_masks,
)

MISTAKES = (
    *mistakes_formula.MISTAKES,
    *mistakes_masks.MISTAKES,
    *mistakes_in_corners.MISTAKES,
)
