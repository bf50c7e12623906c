"""What `scores` is judged by."""
