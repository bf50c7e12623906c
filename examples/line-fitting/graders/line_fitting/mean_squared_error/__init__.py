"""What `mean_squared_error` is judged by."""
