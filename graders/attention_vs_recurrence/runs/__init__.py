"""What `runs` is judged by."""
