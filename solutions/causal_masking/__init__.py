"""What full marks look like in 03-causal-masking."""
