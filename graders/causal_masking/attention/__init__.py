"""What `attention` is judged by."""
