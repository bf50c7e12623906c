"""What `grouped_query_attention` is judged by."""
