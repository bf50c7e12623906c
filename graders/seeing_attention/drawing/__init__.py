"""What `drawing` is judged by."""
