"""What `recall_batch` is judged by."""
