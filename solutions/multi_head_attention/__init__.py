"""What full marks look like in 04-multi-head-attention."""
