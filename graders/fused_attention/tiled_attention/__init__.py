"""What `tiled_attention` is judged by."""
