"""What `fit` is judged by."""
