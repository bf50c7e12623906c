def attention_cost(seq_len, d_model, num_heads, dtype):
    return {
        "flops": 4 * seq_len**2 * d_model,
        "score_bytes": num_heads * seq_len**2 * dtype.itemsize,
    }
