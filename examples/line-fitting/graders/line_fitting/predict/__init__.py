"""What `predict` is judged by."""
