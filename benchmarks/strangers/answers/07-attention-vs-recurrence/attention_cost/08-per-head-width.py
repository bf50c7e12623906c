def attention_cost(seq_len, d_model, num_heads, dtype):
    d_head = d_model / num_heads
    flops = 4 * seq_len**2 * d_head
    return {"flops": flops, "score_bytes": num_heads * seq_len**2 * dtype.itemsize}
