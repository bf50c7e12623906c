def attention_cost(seq_len, d_model, num_heads, dtype):
    flops = 4 * num_heads * seq_len**2 * d_model
    score_bytes = num_heads * seq_len**2 * dtype.itemsize
    return {"flops": flops, "score_bytes": score_bytes}
