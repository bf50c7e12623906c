"""Known mistakes in 01-attention-by-hand."""

from autograder.misconceptions.attention_by_hand import attention_weights, scaled_scores, softmax

MISTAKES = (*softmax.MISTAKES, *scaled_scores.MISTAKES, *attention_weights.MISTAKES)
