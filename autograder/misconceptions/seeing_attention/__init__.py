"""Known mistakes in 06-seeing-attention."""

from autograder.misconceptions.seeing_attention import (
    checkpoint,
    comparing,
    drawing,
    links,
    measures,
)

MISTAKES = (
    *drawing.MISTAKES,
    *comparing.MISTAKES,
    *links.MISTAKES,
    *measures.MISTAKES,
    *checkpoint.MISTAKES,
)
