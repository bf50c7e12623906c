"""What full marks look like in 01-attention-by-hand."""
