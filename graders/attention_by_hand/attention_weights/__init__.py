"""What `attention_weights` is judged by."""
