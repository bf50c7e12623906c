"""Hidden graders of 06-seeing-attention, one file for each idea, and what they share."""
