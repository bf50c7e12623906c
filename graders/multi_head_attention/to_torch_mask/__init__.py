"""What `to_torch_mask` is judged by."""
