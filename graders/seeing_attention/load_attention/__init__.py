"""What `load_attention` is judged by."""
