"""Known mistakes in the exercises of `drawing`."""

from graders.seeing_attention.drawing import (
    mistakes_compare_attention,
    mistakes_in_corners,
    mistakes_plot_attention,
)

MISTAKES = (
    *mistakes_compare_attention.MISTAKES,
    *mistakes_plot_attention.MISTAKES,
    *mistakes_in_corners.MISTAKES,
)
