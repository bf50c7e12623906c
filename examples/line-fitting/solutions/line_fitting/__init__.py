"""What full marks look like in 01-line-fitting."""
