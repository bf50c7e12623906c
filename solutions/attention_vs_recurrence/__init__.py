"""What full marks look like in 07-attention-vs-recurrence."""
