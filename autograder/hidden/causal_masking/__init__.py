"""Hidden graders of 03-causal-masking, one file for each idea, and what they share."""
