"""What `decode_step` is judged by."""
