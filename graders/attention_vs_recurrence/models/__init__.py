"""What `models` is judged by."""
