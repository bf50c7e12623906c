"""What `fused_weights` is judged by."""
