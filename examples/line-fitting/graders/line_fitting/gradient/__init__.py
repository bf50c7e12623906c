"""What `gradient` is judged by."""
