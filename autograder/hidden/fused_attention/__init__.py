"""Hidden graders of 05-fused-attention, one file for each idea, and what they share."""
