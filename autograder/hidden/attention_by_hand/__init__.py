"""Hidden graders of 01-attention-by-hand, one file for each idea, and what they share."""
