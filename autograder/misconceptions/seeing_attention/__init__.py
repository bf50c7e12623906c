"""Known mistakes in 06-seeing-attention."""

from autograder.misconceptions.seeing_attention import checkpoint, drawing, links, measures

MISTAKES = (*drawing.MISTAKES, *links.MISTAKES, *measures.MISTAKES, *checkpoint.MISTAKES)
