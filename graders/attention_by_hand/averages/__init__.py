"""What `averages` is judged by."""
