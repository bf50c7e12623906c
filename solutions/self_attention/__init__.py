"""What full marks look like in 02-self-attention."""
