"""What `attention_cost` is judged by."""
