"""What `scaled_dot_product_attention` is judged by."""
