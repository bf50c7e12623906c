"""What `fused_module` is judged by."""
