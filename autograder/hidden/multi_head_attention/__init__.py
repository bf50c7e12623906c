"""Hidden graders of 04-multi-head-attention, one file for each idea, and what they share."""
