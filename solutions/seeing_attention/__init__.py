"""What full marks look like in 06-seeing-attention."""
