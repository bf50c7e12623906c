"""What `heads` is judged by."""
