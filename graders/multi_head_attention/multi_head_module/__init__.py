"""What `multi_head_module` is judged by."""
