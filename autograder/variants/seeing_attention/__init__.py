"""Right answers in 06-seeing-attention."""

from autograder.variants.seeing_attention import checkpoint, drawing, measures

VARIANTS = (*drawing.VARIANTS, *measures.VARIANTS, *checkpoint.VARIANTS)
