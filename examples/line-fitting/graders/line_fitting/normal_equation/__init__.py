"""What `normal_equation` is judged by."""
