"""What `masks` is judged by."""
