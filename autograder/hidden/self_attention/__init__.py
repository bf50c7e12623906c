"""Hidden graders of 02-self-attention, one file for each idea, and what they share."""
