"""What `layers` is judged by."""
