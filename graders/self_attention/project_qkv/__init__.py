"""What `project_qkv` is judged by."""
