"""What full marks look like in 05-fused-attention."""
