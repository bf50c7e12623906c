"""Hidden graders of 07-attention-vs-recurrence, one file for each idea, and what they share."""
