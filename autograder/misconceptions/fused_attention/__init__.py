"""Known mistakes in 05-fused-attention."""

from autograder.misconceptions.fused_attention import heads, masks, modes

MISTAKES = (*masks.MISTAKES, *heads.MISTAKES, *modes.MISTAKES)
