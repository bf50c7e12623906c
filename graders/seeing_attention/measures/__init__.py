"""What `measures` is judged by."""
