"""What `softmax` is judged by."""
