"""What `triton_attention` is judged by."""
